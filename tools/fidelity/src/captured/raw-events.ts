import type { Capture } from '@weir/testing';
import { raw, type Raw } from '../reading/raw-json';

export const BROKEN = Symbol('a frame that is not JSON');
export const DONE = Symbol('the end marker');
export type RawEvent = Raw | typeof BROKEN | typeof DONE;

/** The events of a streamed capture, or the one value of a whole reply. */
export function readRawEvents(capture: Capture): RawEvent[] {
  if (capture.kind === 'json') return [parse(capture.body.toString())];
  return capture.kind === 'sse' ? readSse(capture.body.toString()) : readEventStream(capture.body as Buffer);
}

function readSse(text: string): RawEvent[] {
  return text
    .replace(/\r\n/g, '\n')
    .split(/\n\n+/)
    .map((frame) =>
      frame
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n'),
    )
    .concat(readStrayLines(text))
    .filter((data) => data.trim() !== '')
    .map((data) => (data.trim() === '[DONE]' ? DONE : parse(data)));
}

/** Some recordings end with a plain JSON error after their frames, without `data:`. */
function readStrayLines(text: string): string[] {
  const stray = /\n\n(\{\s*\n[\s\S]*\})\s*$/.exec(text)?.[1];
  return stray === undefined ? [] : [stray];
}

/** Messages of the binary framing: total length, length of headers, checksum, headers, payload, checksum. */
function readEventStream(bytes: Buffer): RawEvent[] {
  const events: RawEvent[] = [];
  for (let from = 0; from + 16 <= bytes.length;) {
    const total = bytes.readUInt32BE(from);
    const headersLength = bytes.readUInt32BE(from + 4);
    if (total < 16 || from + total > bytes.length) return [...events, BROKEN];
    const name = readHeaderText(bytes.subarray(from + 12, from + 12 + headersLength));
    const payload = parse(bytes.toString('utf8', from + 12 + headersLength, from + total - 4));
    events.push(payload === BROKEN || payload === DONE ? payload : { [name]: raw(payload) });
    from += total;
  }
  return events;
}

/** The value of `:event-type` or `:exception-type`; every header here is text (type 7). */
function readHeaderText(headers: Buffer): string {
  let from = 0;
  while (from < headers.length) {
    const nameLength = headers[from] ?? 0;
    const name = headers.toString('utf8', from + 1, from + 1 + nameLength);
    const valueAt = from + 1 + nameLength + 3;
    const valueLength = headers.readUInt16BE(valueAt - 2);
    const value = headers.toString('utf8', valueAt, valueAt + valueLength);
    if (name === ':event-type' || name === ':exception-type') return value;
    from = valueAt + valueLength;
  }
  return '';
}

function parse(text: string): RawEvent {
  try {
    return raw(JSON.parse(text));
  } catch {
    // A frame that is not JSON is a finding of its own, marked by the symbol.
    return BROKEN;
  }
}
