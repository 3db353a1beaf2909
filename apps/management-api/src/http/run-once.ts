import { createHash, createHmac, hkdfSync, type BinaryLike } from 'node:crypto';
import { createIdempotencyRecords, type IdempotencyClaim, type IdempotentRequest } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { closeBox, openBox, packBox, unpackBox } from '@weir/sealing';
import { canonicalJson } from '../canonical-json';
import type { ManagementParts } from '../management-parts';
import type { Answer, RawCall } from '../route';

export type AskedOnce = {
  /** The value of the Idempotency-Key header; undefined carries the request out without more ado. */
  readonly idempotencyKey: string | undefined;
  /** `POST /v1/manage/apikey`, with its parameters filled in. */
  readonly target: string;
  readonly call: RawCall;
};

export type RunOnce = (asked: AskedOnce, run: (call: RawCall) => Promise<Answer>) => Promise<Answer>;

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;
const REPLAYED = { 'idempotency-replayed': 'true' };

/**
 * Carries a request out once however often it is sent under the same Idempotency-Key within a day: whoever comes later
 * gets the first one's answer. A request that failed may be sent again under its key. An answer may hold a secret that is
 * shown once, so it is kept sealed under a key made from the pepper and the Idempotency-Key, which itself is not kept.
 */
export function createRunOnce({ database, pepper, log }: Pick<ManagementParts, 'database' | 'pepper' | 'log'>): RunOnce {
  const records = createIdempotencyRecords(database.pool);

  const runClaimed = async (claim: IdempotencyClaim, run: () => Promise<Answer>, box: AnswerBox): Promise<Answer> => {
    let answer: Answer;
    try {
      answer = await run();
    } catch (error) {
      // A refusal says what came of the request; after any other failure only the record knows.
      await records.abandon(claim, { onlyUnapplied: !(error instanceof GatewayError) }).catch((cause: unknown) => {
        log.warn({ err: cause }, 'the claim on an idempotency key could not be given back; it ends by itself');
      });
      throw error;
    }
    // What is done is done: a caller who hears of it needs no kept answer.
    await records.finish(claim, box.seal(answer)).catch((cause: unknown) => {
      log.warn({ err: cause }, 'an answer could not be kept under its idempotency key');
    });
    return answer;
  };

  return async ({ idempotencyKey, target, call }, run) => {
    if (idempotencyKey === undefined) return run(call);
    if (!KEY_FORM.test(idempotencyKey)) {
      throw new GatewayError('invalid_request', '`Idempotency-Key` must have 1 to 255 visible ASCII characters.', {
        field: 'Idempotency-Key',
      });
    }
    const request = describeRequest({ target, call, idempotencyKey }, pepper);
    const box = createAnswerBox(request, { pepper, idempotencyKey });
    const outcome = await records.claim(request);
    if (outcome.kind === 'claimed') return runClaimed(outcome.claim, () => run({ ...call, claim: outcome.claim }), box);
    if (outcome.kind === 'answered') return { ...box.open(outcome.reply), headers: REPLAYED };
    throw refuse(outcome.kind);
  };
}

/** Keys are the calling API key's own: nobody else's request is ever answered with its secrets. */
function describeRequest({ target, call, idempotencyKey }: AskedOnce & { idempotencyKey: string }, pepper: string): IdempotentRequest {
  const { organizationId, principal, body } = call;
  return {
    organizationId,
    keyHash: createHmac('sha256', pepper).update(`idempotency:${principal.key.apiKeyId}:${idempotencyKey}`).digest(),
    requestSha256: createHash('sha256')
      .update(`${target}\n${canonicalJson(body)}`)
      .digest(),
  };
}

type AnswerBox = { seal(answer: Answer): Buffer; open(sealed: Buffer): Answer };

function createAnswerBox({ organizationId, keyHash }: IdempotentRequest, from: { pepper: BinaryLike; idempotencyKey: string }): AnswerBox {
  const key = Buffer.from(hkdfSync('sha256', from.pepper, organizationId, `idempotent answer:${from.idempotencyKey}`, 32));
  const context = `${organizationId}:${keyHash.toString('hex')}`;
  return {
    seal: ({ status, body }) => packBox(closeBox(Buffer.from(JSON.stringify({ status, body })), key, context)),
    open: (sealed) => JSON.parse(openBox(unpackBox(sealed), key, context).toString('utf8')) as Answer,
  };
}

function refuse(kind: 'mismatch' | 'running' | 'lost'): GatewayError {
  if (kind === 'mismatch') {
    return new GatewayError('idempotency_key_reused', 'This Idempotency-Key was used for another request; send a new one with this.');
  }
  if (kind === 'running') {
    return new GatewayError(
      'idempotency_in_progress',
      'The same request is being carried out at this moment. Send it again for its answer.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  return new GatewayError(
    'idempotency_reply_lost',
    'The request under this Idempotency-Key was carried out, but its answer was lost. See what is there; to do it again, send a new key.',
  );
}
