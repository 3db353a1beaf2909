import type { ReplyCache } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { createCallerBox, type CallerBox } from '@weir/sealing';
import type { Logger } from '@weir/telemetry';
import { createHmac } from 'node:crypto';
import { isFinalResponse } from './is-final-response';
import { recordResponse, type ResponseOutcome } from './record-response';
import { decodeResponse, encodeResponse, sendRecorded, type RecordedResponse } from './recorded-response';
import type { ReplayAsk } from './replay-ask';
import { zeroCosts } from './zero-costs';

type ResponseCacheParts = {
  readonly store: ReplyCache;
  readonly pepper: string;
  readonly log: Logger;
  /** A larger response is not kept. */
  readonly responseBytesMax: number;
};

export type ResponseCache = {
  /** Whether a request opted in. Throws `invalid_request` where it says so in words that are none. */
  isAsked(ask: Pick<ReplayAsk, 'headers' | 'extension'>): boolean;
  /** Sends a kept response to an equal request that asked for it, and resolves with true; otherwise keeps what comes. */
  answer(ask: ReplayAsk): Promise<boolean>;
};

const HEADER = 'x-weir-cache';
const SECONDS_DEFAULT = 3_600;
const SECONDS_MAX = 86_400;
/** Headers of a request that change the response. */
const RELEVANT = /^(?:x-weir-strict|[a-z]+-(?:version|beta))$/;

/**
 * Responses to requests that opted in, for equal requests of the same organization. They are sealed with a key made from
 * the request itself. A cache that is out of reach is one that has nothing.
 */
export function createResponseCache({ store, pepper, log, responseBytesMax }: ResponseCacheParts): ResponseCache {
  const find = async (place: Place): Promise<RecordedResponse | undefined> => {
    try {
      const sealed = await store.find(place.name);
      return sealed === undefined ? undefined : decodeResponse(place.box.open(sealed));
    } catch (error) {
      log.warn({ error }, 'a cached response could not be read');
      return undefined;
    }
  };

  const keep = async (place: Place, outcome: ResponseOutcome, ttlMs: number): Promise<void> => {
    if (outcome.kind !== 'whole' || !isCacheable(outcome.response)) return;
    const { headers, ...head } = outcome.response;
    const body = zeroCosts(head.body, headers['content-type'] ?? '');
    await store.keep(place.name, place.box.seal(encodeResponse({ ...head, headers, body })), ttlMs);
  };

  return {
    isAsked: (ask) => readSeconds(ask) > 0,
    answer: async (ask) => {
      const seconds = readSeconds(ask);
      if (seconds === 0) return false;
      if (ask.isZeroRetention) {
        ask.response.setHeader(HEADER, 'off; zero-retention');
        return false;
      }
      const place = await findPlace(ask, pepper);
      const kept = await find(place);
      if (kept !== undefined) {
        const free = kept.headers['x-weir-cost'] === undefined ? {} : { 'x-weir-cost': '0' };
        sendRecorded(ask.response, kept, { ...free, [HEADER]: 'hit' });
        return true;
      }
      ask.response.setHeader(HEADER, 'miss');
      recordResponse(ask.response, {
        bytesMax: responseBytesMax,
        outlivesCaller: false,
        onOver: (outcome) => {
          void keep(place, outcome, seconds * 1000).catch((error: unknown) => log.warn({ error }, 'a response could not be cached'));
          return Promise.resolve();
        },
      });
      return false;
    },
  };
}

/** Not shared: a refusal that may pass, a response cut short by a limit, or of the model that a limit sent it to, and one that says `no-store`. */
function isCacheable(response: RecordedResponse): boolean {
  const { status, headers } = response;
  if (status !== 200 || headers['cache-control'] === 'no-store') return false;
  return headers['x-weir-max-tokens-clamped'] === undefined && headers['x-weir-fallback-model'] === undefined && isFinalResponse(response);
}

const WORDS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ...[undefined, null, false, 'off'].map((word) => [word, 0] as const),
  ...[true, 'on'].map((word) => [word, SECONDS_DEFAULT] as const),
]);

/** How long the response may be kept; 0 when the request did not opt in. The header wins over the body. */
function readSeconds({ headers, extension }: Pick<ReplayAsk, 'headers' | 'extension'>): number {
  if (extension === undefined && headers[HEADER] === undefined) return 0;
  const reported = headers[HEADER] ?? extension?.['cache'];
  const seconds = WORDS.get(reported) ?? Number(reported);
  if (WORDS.has(reported) || (Number.isInteger(seconds) && seconds >= 1 && seconds <= SECONDS_MAX)) return seconds;
  const field = headers[HEADER] === undefined ? 'weir.cache' : HEADER;
  throw new GatewayError('invalid_request', `${field} must be "on", "off" or a number of seconds from 1 to ${SECONDS_MAX}.`, { field });
}

type Place = { readonly name: string; readonly box: CallerBox };

async function findPlace({ organizationId, endpointId, headers, ...ask }: ReplayAsk, pepper: string): Promise<Place> {
  const relevant = Object.entries(headers).filter(([name]) => RELEVANT.test(name));
  const request = JSON.stringify([endpointId, relevant.sort(), ask.circumstances(), await ask.fingerprint()]);
  const digest = (text: string): string => createHmac('sha256', pepper).update(text).digest('base64url');
  const name = digest(`cached answer:${organizationId}:${request}`);
  const phrase = `cached answer:${digest(`phrase of a cached answer:${request}`)}`;
  return { name, box: createCallerBox({ secret: pepper, organizationId, phrase, context: name }) };
}
