import type { ClaimOutcome, IdempotencyClaim, IdempotencyRecords, IdempotentRequest } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { readIdempotencyKey, refuseSecondRequest, REPLAYED_HEADER } from '@weir/http-server';
import { createCallerBox, type CallerBox } from '@weir/sealing';
import type { Logger } from '@weir/telemetry';
import { createHmac } from 'node:crypto';
import { isFinalResponse } from './is-final-response';
import { recordResponse, type ResponseOutcome } from './record-response';
import { decodeResponse, encodeResponse, sendRecorded } from './recorded-response';
import type { OnceAsk } from './replay-ask';

type IdempotentResponsesParts = {
  readonly records: IdempotencyRecords;
  readonly pepper: string;
  readonly log: Logger;
  /** A larger response is not kept. */
  readonly responseBytesMax: number;
};

export type IdempotentResponses = {
  /**
   * Claims the Idempotency-Key of a request. Resolves with `answered` when the response of an earlier request was sent, with
   * `open` when this request goes on: its response is then kept without a further call. Throws the 409 of a key in use.
   */
  claim(ask: OnceAsk): Promise<'answered' | 'open'>;
};

/** A claim is held for a minute. */
const RENEW_EVERY_MS = 20_000;
/** The last bytes of a response wait no longer than this until it is kept. */
const KEEP_WITHIN_MS = 2_000;
/** Kept in place of a response that was too large. */
const TOO_LARGE = Buffer.from('too large');

/** One charge and one response for each Idempotency-Key, for a day. Responses are sealed so that only their caller can open them. */
export function createIdempotentResponses({ records, pepper, log, responseBytesMax }: IdempotentResponsesParts): IdempotentResponses {
  const keep = async (claim: IdempotencyClaim, outcome: ResponseOutcome, box: CallerBox): Promise<void> => {
    if (outcome.kind === 'cut' || (outcome.kind === 'whole' && !isFinalResponse(outcome.response))) {
      await records.abandon(claim, { onlyUnapplied: false });
      return;
    }
    await records.finish(claim, box.seal(outcome.kind === 'whole' ? encodeResponse(outcome.response) : TOO_LARGE));
  };

  const record = (claim: IdempotencyClaim, { response, requestId }: OnceAsk, box: CallerBox): void => {
    const warn = (error: unknown): void => log.warn({ error, requestId }, 'the claim on an idempotency key could not be kept up');
    const renewal = setInterval(() => void records.renew(claim).catch(warn), RENEW_EVERY_MS);
    renewal.unref();
    recordResponse(response, {
      bytesMax: responseBytesMax,
      outlivesCaller: true,
      onOver: (outcome) => {
        clearInterval(renewal);
        return withinMs(KEEP_WITHIN_MS, keep(claim, outcome, box).catch(warn));
      },
    });
  };

  return {
    claim: async (ask) => {
      const idempotencyKey = readIdempotencyKey(ask.headers['idempotency-key']);
      if (idempotencyKey === undefined) return 'open';
      if (ask.isZeroRetention) {
        ask.response.setHeader('x-weir-idempotency', 'off; zero-retention');
        return 'open';
      }
      const request = await describeRequest(ask, { pepper, idempotencyKey });
      const box = createBox(request, { pepper, idempotencyKey });
      const outcome = await records.claim(request).catch(failClosed);
      if (outcome.kind === 'claimed') {
        record(outcome.claim, ask, box);
        return 'open';
      }
      answer(outcome, ask, box);
      return 'answered';
    },
  };
}

function answer(outcome: Exclude<ClaimOutcome, { kind: 'claimed' }>, { response }: OnceAsk, box: CallerBox): void {
  if (outcome.kind !== 'answered') throw refuseSecondRequest(outcome.kind);
  const bytes = box.open(outcome.reply);
  if (bytes.equals(TOO_LARGE)) {
    throw new GatewayError(
      'idempotency_reply_lost',
      'The request under this Idempotency-Key was carried out, but its answer was too large to be kept. To do it again, send a new key.',
    );
  }
  sendRecorded(response, decodeResponse(bytes), { [REPLAYED_HEADER]: 'true' });
}

type From = { readonly pepper: string; readonly idempotencyKey: string };

/** Keys are the calling API key's own. Nothing that is stored reveals anything of the body without the pepper. */
async function describeRequest(ask: OnceAsk, { pepper, idempotencyKey }: From): Promise<IdempotentRequest> {
  const digest = (text: string): Buffer => createHmac('sha256', pepper).update(text).digest();
  return {
    organizationId: ask.organizationId,
    keyHash: digest(`idempotent inference:${ask.apiKeyId}:${idempotencyKey}`),
    requestSha256: digest(`idempotent request:${ask.endpointId}\n${await ask.fingerprint()}`),
  };
}

function createBox({ organizationId, keyHash }: IdempotentRequest, { pepper, idempotencyKey }: From): CallerBox {
  const context = `${organizationId}:${keyHash.toString('hex')}`;
  return createCallerBox({ secret: pepper, organizationId, phrase: `idempotent inference:${idempotencyKey}`, context });
}

function failClosed(cause: unknown): never {
  throw new GatewayError('dependency_down', 'Idempotency keys cannot be checked at the moment. Try again shortly.', {
    cause,
    retryAfterSeconds: 5,
  });
}

function withinMs(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
