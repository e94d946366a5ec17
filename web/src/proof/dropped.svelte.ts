/** The file that the reader dropped or chose, and what the check of it found. */

import { text } from "../text";
import { type Checked, checkFile } from "./files";

export interface DroppedFile {
  name: string;
  checked?: Checked;
  error?: string;
}

/** The newest file; undefined after its dialog was closed. */
export const dropped = $state<{ file: DroppedFile | undefined }>({ file: undefined });

/** Check a file and show the result. */
export async function openFile(file: File): Promise<void> {
  dropped.file = { name: file.name };
  try {
    const checked = await checkFile(await file.arrayBuffer());
    dropped.file = { name: file.name, checked };
  } catch {
    dropped.file = { name: file.name, error: text.proof.notAFile(file.name) };
  }
}
