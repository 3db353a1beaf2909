import { createLossReport, createOriginalBody, type EmbeddingInputs, type LossReport } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { GatewayError, invariant } from '@weir/errors';
import { checkLosses } from '@weir/exchange';
import {
  findTarget,
  leaveOutMembers,
  refuseUnreached,
  ruleMembers,
  type Provider,
  type EmbeddingCodec,
  type EmbeddingExpress,
  type ExpressCall,
  type LaneMap,
  type ProviderTarget,
} from '@weir/providers';
import type { EmbeddingSession } from './embedding-session';

type LaneCommon = { readonly provider: Provider; readonly target: ProviderTarget; readonly losses: LossReport };

/** How an embedding request reaches one provider: the caller's own body in one call, or translated into as many calls as it takes. */
export type ChosenLane =
  | (LaneCommon & { readonly kind: 'express'; readonly express: EmbeddingExpress; readonly calls: readonly [ExpressCall] })
  | (LaneCommon & { readonly kind: 'translated'; readonly codec: EmbeddingCodec; readonly calls: readonly ExpressCall[] });

/** Chooses the lane and encodes the calls. Throws the caller's error when the request cannot be encoded for this provider. */
export function chooseEmbeddingLane(session: EmbeddingSession, attempt: Attempt, map: LaneMap): ChosenLane {
  const { provider, target } = findTarget(attempt, map);
  const lane = provider.embeddings;
  if (lane === undefined) throw refuseUnreached(attempt);
  const { asked } = session;
  if (asked.inputs.kind === 'tokens' && !lane.takesTokens) {
    throw new GatewayError('unsupported_field', 'input must be text for this model: its provider does not take tokens.', {
      field: 'input',
    });
  }
  const common = { provider, target, losses: createLossReport() };
  if (lane.kind === 'express') {
    const left = provider.embeddingMembers === undefined ? [] : ruleMembers(session.body.json, provider.embeddingMembers);
    const call = encodeOriginal(session, lane, { target: common.target, left });
    for (const name of [...left, ...(call.dropped ?? [])]) common.losses.dropped.add(name);
    checkLosses(common.losses, session.forwarded.passport.isStrict);
    return { ...common, kind: 'express', express: lane, calls: [call] };
  }
  const calls = splitInputs(asked.inputs, lane.inputsMax(common.target)).map((inputs) =>
    lane.encodeRequest({ ...asked, inputs }, common.target, common.losses),
  );
  checkLosses(common.losses, session.forwarded.passport.isStrict);
  return { ...common, kind: 'translated', codec: lane, calls };
}

type Sent = { readonly target: ProviderTarget; readonly left: readonly string[] };

function encodeOriginal({ body }: EmbeddingSession, lane: EmbeddingExpress, { target, left }: Sent): ExpressCall {
  const original = body.original ?? createOriginalBody(body.text);
  invariant(original !== undefined, 'a parsed body is a JSON object');
  return lane.encodeOriginal(leaveOutMembers(original, left), target);
}

function splitInputs(inputs: EmbeddingInputs, countMax: number): EmbeddingInputs[] {
  if (inputs.items.length <= countMax) return [inputs];
  const parts: EmbeddingInputs[] = [];
  for (let from = 0; from < inputs.items.length; from += countMax) {
    parts.push({ kind: inputs.kind, items: inputs.items.slice(from, from + countMax) } as EmbeddingInputs);
  }
  return parts;
}
