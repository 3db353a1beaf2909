import { DONE_FRAME, encodeSseFrame } from '../fake-upstream/sse-frames';
import type { CapturedBody } from './capture';
import { encodeEventStreamMessage } from './encode-event-stream';

type Line = { readonly text: string; readonly value: Record<string, unknown> };

/** Puts a list of events, one JSON value a line, back into the framing its provider sends. */
export function wrapChunks(text: string): CapturedBody {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ text: line, value: readValue(line) }));
  const first = lines[0];
  if (first !== undefined && isEventStreamLine(first)) return { kind: 'bytes', body: Buffer.concat(lines.map(wrapEventStreamLine)) };

  const frames = lines.map(({ text: line, value }) => encodeSseFrame(line, typeof value['type'] === 'string' ? value['type'] : undefined));
  // Completion chunks end with a marker; typed events and candidates end by themselves.
  if (lines.some(isCompletionLine)) frames.push(DONE_FRAME);
  return { kind: 'sse', body: frames.join('') };
}

/** A few recordings hold a line that is not quite JSON; it is sent as it is, under the name it starts with. */
function readValue(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    const type = /^\{"type":"([^"]+)"/.exec(line)?.[1];
    return type === undefined ? {} : { type };
  }
}

function isCompletionLine({ value }: Line): boolean {
  return Array.isArray(value['choices']) && typeof value['type'] !== 'string';
}

const EVENT_STREAM_NAMES = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
  'chunk',
]);

function isEventStreamLine({ value }: Line): boolean {
  const names = Object.keys(value);
  return names.length === 1 && EVENT_STREAM_NAMES.has(names[0] ?? '');
}

function wrapEventStreamLine({ value }: Line): Buffer {
  const [name, payload] = Object.entries(value)[0] ?? ['', {}];
  return encodeEventStreamMessage(name, JSON.stringify(payload));
}
