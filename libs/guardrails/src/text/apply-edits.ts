/** A piece of text to be written in place of another. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Writes edits into a text; they are in order and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let written = '';
  let position = 0;
  for (const edit of edits) {
    written += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return written + text.slice(position);
}
