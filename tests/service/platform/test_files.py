"""A private file: written in whole with mode 0600, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.platform.files import open_private


def test_a_private_file_that_was_not_finished_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "friday"
    file.write_bytes(b"before")
    with pytest.raises(TypeError), open_private(file) as fresh:
        fresh.writelines([b"half", "no bytes"])
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == b"before"
    with open_private(file) as fresh:
        fresh.write(b"after")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"after", 0o600)
