import type { LoadJob } from './load-job';

const HEAD_END = '\r\n\r\n';
const CHUNKED_END = Buffer.from('0\r\n\r\n');

/**
 * Whether these pieces are a whole HTTP reply. One request is under way at a time, so a chunked reply is over exactly
 * when the bytes end with the last-chunk mark.
 */
export function isReplyComplete(pieces: readonly Buffer[]): boolean {
  const first = pieces[0];
  if (first === undefined) return false;
  const head = first.includes(HEAD_END) ? first : Buffer.concat(pieces);
  const headEnd = head.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const length = readContentLength(head.toString('latin1', 0, headEnd));
  if (length === undefined) return endsWithLastChunk(pieces);
  return countBytes(pieces) >= headEnd + HEAD_END.length + length;
}

/** What is wrong with a complete reply; undefined when it is what was asked for. */
export function findReplyFault(reply: Buffer, job: Pick<LoadJob, 'stream' | 'wantsCost' | 'frames'>): string | undefined {
  const status = reply.toString('latin1', 9, 12);
  if (status !== '200') return `status ${status}: ${reply.toString('utf8', reply.indexOf(HEAD_END) + 4).slice(0, 300)}`;
  if (job.stream && !reply.includes('data: [DONE]')) return 'the stream ended without its end marker';
  if (job.stream && !reply.includes(`word${job.frames - 1}`)) return 'the stream lost frames';
  if (!job.stream && !reply.includes('"usage"')) return 'the reply has no usage';
  if (job.wantsCost && !/"cost":\s*[\d."]/.test(reply.toString('latin1'))) return 'usage.cost is missing';
  return undefined;
}

function readContentLength(head: string): number | undefined {
  const match = /^content-length:\s*(\d+)/im.exec(head);
  return match === null ? undefined : Number(match[1]);
}

function endsWithLastChunk(pieces: readonly Buffer[]): boolean {
  const last = pieces[pieces.length - 1] as Buffer;
  if (last.length >= CHUNKED_END.length) return last.subarray(-CHUNKED_END.length).equals(CHUNKED_END);
  return Buffer.concat(pieces.slice(-CHUNKED_END.length)).subarray(-CHUNKED_END.length).equals(CHUNKED_END);
}

function countBytes(pieces: readonly Buffer[]): number {
  let sum = 0;
  for (const piece of pieces) sum += piece.length;
  return sum;
}
