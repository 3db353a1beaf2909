import { encodeChat } from './encode-chat';
import type { Encoded } from './encoded';
import { encodeMedia } from './encode-media';
import { encodeMessages } from './encode-messages';
import { encodeResponses } from './encode-responses';
import type { Content, Delivery, Question, Reply, ReplyMaker, Step } from './reply';

const JSON_HEADERS = { 'content-type': 'application/json', 'x-request-id': 'req_upstream' };
const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_upstream' };
const DEFAULT: Content = { text: 'It is seven o’clock — “early” 🌅, they say.' };

/** Says this in the dialect it is asked in, whole or streamed as it is asked. */
export function say(content: Content = DEFAULT, delivery: Delivery = {}): ReplyMaker {
  return (question) => {
    const encoded = encodeChatReply(content, question);
    if (encoded === undefined) return encodeMedia(question);
    if (!question.isStream) return whole(200, JSON.stringify(encoded.whole), delivery);
    return { status: 200, headers: STREAM_HEADERS, steps: deliver(encoded.frames, delivery) };
  };
}

function encodeChatReply(content: Content, question: Question): Encoded | undefined {
  const { path } = question;
  if (path.endsWith('/chat/completions')) return encodeChat(content, question);
  if (path.endsWith('/messages')) return encodeMessages(content, question);
  if (path.endsWith('/responses')) return encodeResponses(content, question);
  return undefined;
}

/** Fails with this status and body. */
export function fail(status: number, body: object | string, headers: Readonly<Record<string, string>> = {}): ReplyMaker {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => ({ ...whole(status, text), headers: { ...JSON_HEADERS, ...headers } });
}

/** These very bytes. */
export function raw(text: string | Buffer, headers: Readonly<Record<string, string>> = JSON_HEADERS): ReplyMaker {
  return () => ({ status: 200, headers, steps: [{ do: 'write', bytes: Buffer.from(text) }] });
}

/** These frames, whatever the dialect. */
export function frames(list: readonly string[], delivery: Delivery = {}): ReplyMaker {
  return () => ({ status: 200, headers: STREAM_HEADERS, steps: deliver(list, delivery) });
}

/** The connection ends before a byte of the reply. */
export function hangUp(): ReplyMaker {
  return () => ({ status: 0, headers: {}, steps: [{ do: 'cut' }] });
}

/** Nothing comes, until the gateway has had enough. */
export function silence(): ReplyMaker {
  return () => ({ status: 0, headers: {}, steps: [{ do: 'wait' }, { do: 'cut' }] });
}

function whole(status: number, text: string, { cutAfter, waitAfter }: Delivery = {}): Reply {
  const bytes = Buffer.from(text);
  const middle = Math.floor(bytes.length / 2);
  const steps: Step[] = [{ do: 'write', bytes: bytes.subarray(0, middle) }];
  if (waitAfter !== undefined) steps.push({ do: 'wait' });
  if (cutAfter === undefined) steps.push({ do: 'write', bytes: bytes.subarray(middle) });
  else steps.push({ do: 'cut' });
  return { status, headers: JSON_HEADERS, steps };
}

function deliver(list: readonly string[], { lineEnd = '\n', split = 'frames', ...more }: Delivery): Step[] {
  const { hasComments = false, hasNoEnd = false, cutAfter, waitAfter } = more;
  const all = hasNoEnd ? list.slice(0, -1) : list;
  const kept = cutAfter === undefined ? all : all.slice(0, cutAfter);
  const texts = kept.map((frame, at) => (hasComments && at % 2 === 1 ? `: still here\n\n${frame}\n\n` : `${frame}\n\n`));
  const chunks = texts.map((text) => Buffer.from(lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)));
  const waitAt = waitAfter ?? chunks.length;
  return [
    ...cut(chunks.slice(0, waitAt), split),
    ...(waitAfter === undefined ? [] : [{ do: 'wait' } as const]),
    ...cut(chunks.slice(waitAt), split),
    ...(cutAfter === undefined ? [] : [{ do: 'cut' } as const]),
  ];
}

function cut(chunks: readonly Buffer[], split: NonNullable<Delivery['split']>): Step[] {
  const all = Buffer.concat(chunks);
  switch (split) {
    case 'frames':
      return chunks.map((bytes) => ({ do: 'write', bytes }));
    case 'all':
      return all.length === 0 ? [] : [{ do: 'write', bytes: all }];
    case 'bytes':
      return pieces(all, 1);
    case 'halves':
      return pieces(all, Math.max(1, Math.ceil(all.length / 2)));
    case 'threes':
      return threes(chunks);
  }
}

/** Three frames at a time, and always the beginning of the next one with them. */
function threes(chunks: readonly Buffer[]): Step[] {
  const all = Buffer.concat(chunks);
  const ends: number[] = [];
  let at = 0;
  chunks.forEach((chunk, index) => {
    at += chunk.length;
    if (index % 3 === 2) ends.push(Math.min(all.length, at + 5));
  });
  ends.push(all.length);
  return ends.map((end, index) => ({ do: 'write', bytes: all.subarray(ends[index - 1] ?? 0, end) }));
}

function pieces(all: Buffer, size: number): Step[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => ({
    do: 'write',
    bytes: all.subarray(at * size, (at + 1) * size),
  }));
}
