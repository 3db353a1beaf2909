import { createHash, createHmac } from 'node:crypto';
import { createIdempotencyRecords, type IdempotencyClaim, type IdempotencyRecords, type IdempotentRequest } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { canonicalJson, readIdempotencyKey, refuseSecondRequest, REPLAYED_HEADER } from '@weir/http-server';
import { createCallerBox } from '@weir/sealing';
import type { RouteParts } from '../route/management-parts';
import type { RouteResponse, RawCall } from '../route/route';

type AskedOnce = {
  /** The value of the Idempotency-Key header; when it is undefined, the request is simply carried out. */
  readonly idempotencyKey: string | undefined;
  /** `POST /v1/manage/apikey`, with its parameters filled in. */
  readonly target: string;
  readonly call: RawCall;
};

export type RunOnce = (asked: AskedOnce, run: (call: RawCall) => Promise<RouteResponse>) => Promise<RouteResponse>;

const REPLAYED = { [REPLAYED_HEADER]: 'true' };

/**
 * Carries a request out once however often it is sent under the same Idempotency-Key within a day: a later request
 * gets the response of the first. A request that failed may be sent again under its key. A response may have a secret that is
 * shown once, so it is kept sealed under a key made from the pepper and the Idempotency-Key, which itself is not kept.
 */
export function createRunOnce({ database, peppers, log }: Pick<RouteParts, 'database' | 'peppers' | 'log'>): RunOnce {
  // As long as there is one before, processes may be running that know no other.
  const pepper = peppers.previous ?? peppers.current;
  const recordsOf = (organizationId: string): IdempotencyRecords => createIdempotencyRecords(database.asOrganization(organizationId));

  const runClaimed = async (claim: IdempotencyClaim, run: () => Promise<RouteResponse>, box: ResponseBox): Promise<RouteResponse> => {
    const records = recordsOf(claim.organizationId);
    let response: RouteResponse;
    try {
      response = await run();
    } catch (error) {
      // A refusal says what came of the request; after any other failure only the record knows.
      await records.abandon(claim, { onlyUnapplied: !(error instanceof GatewayError) }).catch((cause: unknown) => {
        log.warn({ error: cause }, 'the claim on an idempotency key could not be given back; it ends by itself');
      });
      throw error;
    }
    // The change is made, and this caller gets its response, so a failure to keep the response must not fail the request.
    await records.finish(claim, box.seal(response)).catch((cause: unknown) => {
      log.warn({ error: cause }, 'the response could not be kept under its idempotency key');
    });
    return response;
  };

  return async ({ idempotencyKey: reported, target, call }, run) => {
    const idempotencyKey = readIdempotencyKey(reported);
    if (idempotencyKey === undefined) return run(call);
    const request = describeRequest({ target, call, idempotencyKey }, pepper);
    const box = createResponseBox(request, { pepper, idempotencyKey });
    const outcome = await recordsOf(request.organizationId).claim(request);
    if (outcome.kind === 'claimed') return runClaimed(outcome.claim, () => run({ ...call, claim: outcome.claim }), box);
    if (outcome.kind === 'answered') return { ...box.open(outcome.reply), headers: REPLAYED };
    throw refuseSecondRequest(outcome.kind);
  };
}

/** Keys are the calling API key's own: another key's request never gets a response with its secrets. */
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

type ResponseBox = { seal(response: RouteResponse): Buffer; open(sealed: Buffer): RouteResponse };

function createResponseBox({ organizationId, keyHash }: IdempotentRequest, from: { pepper: string; idempotencyKey: string }): ResponseBox {
  const phrase = `idempotent answer:${from.idempotencyKey}`;
  const context = `${organizationId}:${keyHash.toString('hex')}`;
  const box = createCallerBox({ secret: from.pepper, organizationId, phrase, context });
  return {
    seal: ({ status, body }) => box.seal(Buffer.from(JSON.stringify({ status, body }))),
    open: (sealed) => JSON.parse(box.open(sealed).toString('utf8')) as RouteResponse,
  };
}
