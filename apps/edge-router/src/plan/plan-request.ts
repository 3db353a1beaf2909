import { checkKeyUsable, checkPermission, type KeyRecord } from '@weir/access';
import type { EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { checkPricedMembers } from '@weir/limits';
import type { OrderedPolicy, PlanTrace } from '@weir/routing';
import { decideRequest, type DecidingParts, type Verdict } from '../admit/decide-request';
import { translateRequest } from '../admit/receive-request';
import { recognizeEndpoint } from '../admit/recognize-dialect';
import { readRequestMetadata } from '../request/read-request-metadata';
import type { AskedPlan } from './read-plan-body';

type PlanAsk = Omit<AskedPlan, 'apiKeyId'> & { readonly key: KeyRecord; readonly atMs: number };

export type LeftOut = Parameters<PlanTrace['noteSkipped']>[0];

export type PlannedRequest = Pick<Verdict, 'refusal'> & {
  readonly key: KeyRecord;
  readonly endpoint: EndpointRow;
  readonly atMs: number;
  readonly isStream: boolean;
  /** Null where the request was refused before its model was looked at. */
  readonly verdict: Verdict | null;
  readonly orders: readonly OrderedPolicy[];
  readonly leftOut: readonly LeftOut[];
  /** What usage would name the request by. */
  readonly metadata: ReturnType<typeof readRequestMetadata> | null;
};

/** Asks about a request what admission asks, in its order, and takes a refusal for an answer. Throws only `dependency_down`. */
export async function planRequest(ask: PlanAsk, parts: DecidingParts): Promise<PlannedRequest> {
  const { key, headers, atMs } = ask;
  const endpoint = ask.endpoint ?? recognizeEndpoint(ask.parsed.json, headers, parts.map.catalog);
  const [orders, leftOut]: [OrderedPolicy[], LeftOut[]] = [[], []];
  const trace: PlanTrace = { noteOrder: (one) => orders.push(one), noteSkipped: (one) => leftOut.push(one) };
  const planned = { key, endpoint, atMs, isStream: ask.parsed.json['stream'] === true, orders, leftOut };
  try {
    const principal = checkKeyUsable(key, atMs);
    checkPermission(principal, endpoint.permission);
    checkPricedMembers(endpoint.id, ask.parsed.json);
    const { body, parsed } = translateRequest({ body: ask.body, parsed: ask.parsed }, endpoint);
    const verdict = await decideRequest({ principal, endpoint, parsed, headers, bodyBytes: body.length, atMs, trace }, parts);
    const metadata = readRequestMetadata(headers, parsed.json);
    return { ...planned, refusal: verdict.refusal, verdict, metadata };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === 'dependency_down') throw error;
    return { ...planned, refusal: error, verdict: null, metadata: null };
  }
}
