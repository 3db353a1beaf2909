import { Readable } from 'node:stream';
import type { MediaQuestion, OpenMedia } from './guarded-fetcher';
import { MEDIA_KINDS } from './media-kinds';
import { refuseFetch } from './refuse-fetch';
import type { GuardedReply } from './send-to-addresses';
import { SNIFFED_BYTES, sniffMedia } from './sniff-media';

/** Turns a reply into a file: refuses what is no file of the kind asked for, and counts what comes. */
export async function readMedia(reply: GuardedReply, question: MediaQuestion, signal: AbortSignal): Promise<OpenMedia> {
  const { field, kind } = question;
  const contentLength = checkHead(reply, question);
  const chunks = countBytes(reply.body, question, signal);
  const head: Buffer[] = [];
  let length = 0;
  while (length < SNIFFED_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head.push(next.value);
    length += next.value.length;
  }
  const first = Buffer.concat(head);
  const mediaType = sniffMedia(first, kind);
  if (mediaType === undefined) {
    const { name, formats } = MEDIA_KINDS[kind];
    throw refuseFetch(field, `must lead to ${name} (${formats}), and its server sent something else`);
  }
  return { mediaType, contentLength, body: Readable.from(joinChunks(first, chunks), { objectMode: false }) };
}

/** The announced length; null when there is none. */
function checkHead({ status, headers }: GuardedReply, question: MediaQuestion): number | null {
  const { field } = question;
  if (status !== 200) throw refuseFetch(field, `could not be fetched: its server answered with the status ${status}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw refuseFetch(field, 'could not be fetched: its server sent it compressed, though not asked to');
  const announced = headers['content-length'];
  if (typeof announced !== 'string') return null;
  if (Number(announced) > bytesMaxOf(question)) throw tooLarge(question);
  return Number(announced);
}

async function* countBytes(body: Readable, question: MediaQuestion, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  const bytesMax = bytesMaxOf(question);
  let length = 0;
  try {
    for await (const chunk of body) {
      length += (chunk as Buffer).length;
      if (length > bytesMax) break;
      yield chunk as Buffer;
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw refuseFetch(question.field, 'could not be fetched: its server broke off', cause);
  }
  if (signal.aborted) throw signal.reason;
  if (length > bytesMax) throw tooLarge(question);
}

async function* joinChunks(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  yield first;
  yield* rest;
}

function bytesMaxOf({ kind, bytesMax }: MediaQuestion): number {
  return Math.min(bytesMax ?? Infinity, MEDIA_KINDS[kind].bytesMax);
}

function tooLarge(question: MediaQuestion): Error {
  const { name } = MEDIA_KINDS[question.kind];
  return refuseFetch(question.field, `is too large: ${name} may have at most ${bytesMaxOf(question)} bytes`);
}
