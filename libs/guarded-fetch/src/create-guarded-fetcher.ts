import { checkUrl } from './check-url';
import { createSlots, type TakeSlot } from './create-slots';
import { findAddresses, type AddressRules } from './find-addresses';
import type { GuardedFetcher, MediaQuestion, OpenMedia, Question, TextReply } from './guarded-fetcher';
import { isPublicAddress } from './is-public-address';
import { openDeadline, raceSignal } from './open-deadline';
import { readMedia } from './read-media';
import { refuseFetch } from './refuse-fetch';
import { createNameResolver, type ResolveName } from './resolve-name';
import { sendToAddresses, type GuardedCall, type GuardedReply } from './send-to-addresses';
import { MEDIA_KINDS } from './media-kinds';

export type GuardedFetcherOptions = {
  /** Ports that may be called; 80 and 443 unless given. */
  readonly ports?: readonly number[];
  /** Which addresses may be called; public ones unless given. See `createAddressRule`. */
  readonly isAllowedAddress?: (address: string) => boolean;
  readonly resolveName?: ResolveName;
  /** For one call in all, redirects included. */
  readonly timeoutMs?: number;
  /** Calls at a time, and waiting, for one owner. */
  readonly runningMax?: number;
  readonly waitingMax?: number;
};

type Guard = AddressRules & { readonly ports: ReadonlySet<number>; readonly timeoutMs: number; readonly takeSlot: TakeSlot };

const STANDARD_PORTS = [80, 443];
const TIMEOUT_MS = 10_000;
const RUNNING_MAX = 8;
const WAITING_MAX = 64;
const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const REPLY_BYTES_MAX = 64 * 1024;
const USER_AGENT = 'Weir';

/** The one way to call an address that a caller named. Sends no credentials and no cookies, keeps no connection. */
export function createGuardedFetcher(options: GuardedFetcherOptions = {}): GuardedFetcher {
  const guard: Guard = {
    ports: new Set(options.ports ?? STANDARD_PORTS),
    isAllowedAddress: options.isAllowedAddress ?? isPublicAddress,
    resolveName: options.resolveName ?? createNameResolver(),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    takeSlot: createSlots({ running: options.runningMax ?? RUNNING_MAX, waiting: options.waitingMax ?? WAITING_MAX }),
  };
  return {
    open: (question) => open(question, guard),
    fetch: async (question) => {
      const { mediaType, body } = await open(question, guard);
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      return { mediaType, bytes: Buffer.concat(chunks) };
    },
    post: ({ headers, body, ...question }) => {
      const all = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers, 'content-type': 'application/json' };
      return callForText(question, { method: 'POST', headers: all, body }, guard);
    },
    read: ({ headers: own, bytesMax, ...question }) => {
      const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': USER_AGENT, ...own };
      return callForText(question, { method: 'GET', headers }, guard, bytesMax);
    },
    check: async ({ url, field }) => {
      await findAddresses(checkUrl(url, field, guard.ports), field, guard);
    },
  };
}

type Run = { readonly signal: AbortSignal; readonly close: () => void };

/** Takes a slot and starts the clock. `close` gives both back; the clock closes by itself when it runs out. */
async function begin({ field, owner, signal }: Question, { takeSlot, timeoutMs }: Guard): Promise<Run> {
  const release = await takeSlot(owner, signal);
  const deadline = openDeadline(
    timeoutMs,
    () => refuseFetch(field, `could not be fetched: its server took longer than ${timeoutMs / 1000} seconds`),
    signal,
  );
  const close = (): void => {
    deadline.close();
    release();
  };
  deadline.signal.addEventListener('abort', close, { once: true });
  return { signal: deadline.signal, close };
}

async function open(question: MediaQuestion, guard: Guard): Promise<OpenMedia> {
  const run = await begin(question, guard);
  try {
    const reply = await follow(question, guard, run.signal);
    const close = (): void => {
      reply.close();
      run.close();
    };
    try {
      const media = await readMedia(reply, question, run.signal);
      media.body.once('close', close);
      return media;
    } catch (error) {
      close();
      throw error;
    }
  } catch (error) {
    run.close();
    throw error;
  }
}

async function follow(question: MediaQuestion, guard: Guard, signal: AbortSignal): Promise<GuardedReply> {
  const headers = { accept: MEDIA_KINDS[question.kind].accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT };
  let address = question.url;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const { reply, url } = await send({ ...question, url: address, signal }, { method: 'GET', headers }, guard);
    const target = REDIRECTS.has(reply.status) ? reply.headers['location'] : undefined;
    if (typeof target !== 'string') return reply;
    reply.close();
    // A target that cannot be parsed is refused by the check that every address goes through.
    address = URL.canParse(target, url.href) ? new URL(target, url.href).href : target;
  }
  throw refuseFetch(question.field, `could not be fetched: it was redirected more than ${REDIRECTS_MAX} times`);
}

type Sent = { readonly reply: GuardedReply; readonly url: URL };

async function send(question: Question & { readonly signal: AbortSignal }, call: GuardedCall, guard: Guard): Promise<Sent> {
  const { field, signal } = question;
  const url = checkUrl(question.url, field, guard.ports);
  const addresses = await raceSignal(findAddresses(url, field, guard), signal);
  try {
    const destination = { url, addresses, isAllowedAddress: guard.isAllowedAddress };
    return { url, reply: await sendToAddresses(destination, call, signal) };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw refuseFetch(field, 'could not be fetched: its server could not be reached', cause);
  }
}

async function callForText(question: Question, call: GuardedCall, guard: Guard, bytesMax = REPLY_BYTES_MAX): Promise<TextReply> {
  const run = await begin(question, guard);
  try {
    const { reply } = await send({ ...question, signal: run.signal }, call, guard);
    try {
      return { status: reply.status, text: await readStart(reply, { field: question.field, bytesMax }, run.signal) };
    } finally {
      reply.close();
    }
  } finally {
    run.close();
  }
}

type Bounds = { readonly field: string; readonly bytesMax: number };

async function readStart({ body }: GuardedReply, { field, bytesMax }: Bounds, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length >= bytesMax) break;
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw refuseFetch(field, 'did not answer completely', cause);
  }
  return Buffer.concat(chunks).toString('utf8', 0, bytesMax);
}
