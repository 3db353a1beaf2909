/** A text of whole frames, frame by frame. Further blank lines belong to the frame that they follow. */
export function splitFrames(text: string): string[] {
  return text.split(/(?<=\r?\n\r?\n)(?!\r?\n)/);
}

/** Where the first frame of the text from `start` on ends: behind its blank lines; at the end of the text when there is none. */
export function endOfFrame(text: string, start: number): number {
  const blank = endOfBlankLines(text, start);
  if (blank !== -1) return blank;
  for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', at + 1)) {
    const end = endOfBlankLines(text, at + 1);
    if (end !== -1) return end;
  }
  return text.length;
}

/** Where the blank lines at `start` end: as one, however many a provider sends. -1 when there is none. */
function endOfBlankLines(text: string, start: number): number {
  let end = -1;
  for (let next = endOfBlankLine(text, start); next !== -1; next = endOfBlankLine(text, next)) end = next;
  return end;
}

/** Where the blank line at `start` ends; -1 when there is none. */
function endOfBlankLine(text: string, start: number): number {
  if (text.charCodeAt(start) === LINE_FEED) return start + 1;
  return text.startsWith('\r\n', start) ? start + 2 : -1;
}

const LINE_FEED = 0x0a;
