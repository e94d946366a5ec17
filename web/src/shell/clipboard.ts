/** Copies texts. */

/**
 * Copy a text. Returns false if the browser refuses, as it does on plain http or without permission.
 * Then the element that shows the text is selected, so that people copy it by hand.
 */
export async function copy(value: string, shown?: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    return false;
  }
}
