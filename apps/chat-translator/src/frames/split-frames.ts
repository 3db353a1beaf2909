/** A text of whole frames, frame by frame. */
export function splitFrames(text: string): string[] {
  return text.split(/(?<=\r?\n\r?\n)/);
}

/** Where the first frame of the text from `start` on ends: behind its blank line; at the end of the text when there is none. */
export function endOfFrame(text: string, start: number): number {
  const blank = endOfBlankLine(text, start);
  if (blank !== -1) return blank;
  for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', at + 1)) {
    const end = endOfBlankLine(text, at + 1);
    if (end !== -1) return end;
  }
  return text.length;
}

/** Where the blank line at `start` ends; -1 when there is none. */
function endOfBlankLine(text: string, start: number): number {
  if (text.startsWith('\n', start)) return start + 1;
  return text.startsWith('\r\n', start) ? start + 2 : -1;
}
