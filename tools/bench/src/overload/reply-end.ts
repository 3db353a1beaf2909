const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '\r\n0\r\n\r\n';
const TAIL_BYTES = 64;

/** Looks for the end of one HTTP reply in pieces of bytes, and keeps no more of them than it must. */
export type ReplyEnd = {
  /** Whether the reply is over with this piece. */
  take(piece: Buffer): boolean;
  /** Its first bytes, head included. */
  readonly start: () => Buffer;
  /** The last bytes of a reply in chunks. */
  readonly tail: () => string;
  reset(): void;
};

export function createReplyEnd(): ReplyEnd {
  let start: Buffer = Buffer.alloc(0);
  let isInBody = false;
  let missing: number | undefined;
  let tail = '';
  const takeHead = (piece: Buffer): Buffer | undefined => {
    start = start.length === 0 ? piece : Buffer.concat([start, piece]);
    const at = start.indexOf(HEAD_END);
    if (at < 0) return undefined;
    const length = /\r\ncontent-length: *(\d+)/i.exec(start.toString('latin1', 0, at));
    missing = length === null ? undefined : Number(length[1]);
    isInBody = true;
    return start.subarray(at + HEAD_END.length);
  };
  return {
    take: (piece) => {
      const body = isInBody ? piece : takeHead(piece);
      if (body === undefined) return false;
      if (missing !== undefined) return (missing -= body.length) <= 0;
      tail = (tail + body.toString('latin1', Math.max(0, body.length - TAIL_BYTES))).slice(-TAIL_BYTES);
      return tail.endsWith(LAST_CHUNK);
    },
    start: () => start,
    tail: () => tail,
    reset: () => {
      [start, isInBody, missing, tail] = [Buffer.alloc(0), false, undefined, ''];
    },
  };
}
