// A seat's store in a file, for Node.

import { open, readFile, rename } from "node:fs/promises";

/** The file is written to disk before anything that depends on it is sent. One program uses it at a time. */
export function fileStore(path) {
  const read = async () => {
    try {
      return JSON.parse(await readFile(path, "utf8"));
    } catch (error) {
      if (error.code === "ENOENT") return undefined;
      throw error;
    }
  };
  const write = async (record) => {
    const stored = await read();
    if ((stored?.rev ?? 0) !== record.rev) throw new Error(`Another program has written ${path}.`);
    const file = await open(`${path}.new`, "w", 0o600);
    try {
      await file.writeFile(JSON.stringify({ ...record, rev: record.rev + 1 }));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
    record.rev += 1;
  };
  return { read, write };
}
