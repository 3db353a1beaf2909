const LINE_FEED = 0x0a;

/** Providers send about one token a frame: the best estimate that needs no reading of the frames. */
export function countFrames(bytes: Buffer): number {
  return countOf(bytes, '\n\n') || countOf(bytes, '\r\n\r\n');
}

function countOf(bytes: Buffer, end: string): number {
  let count = 0;
  let next = 0;
  // Most often it is one frame, after whose end there is nothing to search.
  while (next < bytes.length) {
    const at = bytes.indexOf(end, next);
    if (at === -1) break;
    count += 1;
    next = at + end.length;
    // Further blank lines are no frames.
    while (bytes[next] === LINE_FEED) next += 1;
  }
  return count;
}
