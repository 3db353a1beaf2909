import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { BodyReply, ReplyScript, StreamReply } from './scripted-reply';

/** Emitted on the response before the script destroys it, because a close alone does not say which side went away. */
export const CUT_EVENT = 'cut-by-script';

/** Plays a script. When the caller goes away, it ends: writes after that are dropped. */
export async function sendReply(response: ServerResponse, script: ReplyScript): Promise<void> {
  if (script.delayMs !== undefined) await pause(script.delayMs);
  if (response.destroyed) return;
  if ('stream' in script) await sendStream(response, script);
  else sendBody(response, script);
}

function sendBody(response: ServerResponse, script: BodyReply): void {
  if (script.hang === true) return;
  const { bytes, contentType } = encodeBody(script.body);
  response.writeHead(script.status ?? 200, { 'content-type': contentType, 'content-length': bytes.length, ...lowerNames(script.headers) });
  response.end(bytes);
}

async function sendStream(response: ServerResponse, script: StreamReply): Promise<void> {
  response.writeHead(script.status ?? 200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...lowerNames(script.headers),
  });
  response.flushHeaders();
  const pieces = script.stream.slice(0, script.cutAfter ?? script.stream.length);
  for (const [index, piece] of pieces.entries()) {
    // Each piece leaves in its own turn of the loop, so that it does not melt into its neighbour.
    await pause(index === 0 ? 0 : (script.gapMs ?? 0));
    if (response.destroyed) return;
    await write(response, piece);
  }
  if (script.cutAfter !== undefined) cut(response);
  else if (script.hang !== true) response.end();
}

function cut(response: ServerResponse): void {
  response.emit(CUT_EVENT);
  response.destroy();
}

/** Waits until the piece was handed to the system: a cut right after it must not take it along. */
function write(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()));
}

function encodeBody(body: unknown): { bytes: Uint8Array; contentType: string } {
  if (body instanceof Uint8Array) return { bytes: body, contentType: 'application/octet-stream' };
  if (typeof body === 'string') return { bytes: Buffer.from(body), contentType: guessTextType(body) };
  return { bytes: Buffer.from(body === undefined ? '' : JSON.stringify(body)), contentType: 'application/json' };
}

function guessTextType(body: string): string {
  return /^\s*[{[]/.test(body) ? 'application/json' : 'text/plain; charset=utf-8';
}

function lowerNames(headers: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));
}
