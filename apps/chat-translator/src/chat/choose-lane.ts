import { createLossReport, type ChatRequest, type LossReport } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ChatCodec, ChatProvider, EncodedCall, ExpressLane, ModelFacts, ProviderTarget } from '@weir/providers';
import { hasStateTag } from '@weir/wire-formats';
import { checkExpressBody } from '../express/check-express-body';
import type { ChatSession } from './chat-session';

type LaneCommon = {
  readonly provider: ChatProvider;
  readonly target: ProviderTarget;
  readonly call: EncodedCall;
  readonly losses: LossReport;
};

/**
 * How a request reaches one provider: in the express lane the caller's own body goes on, because both speak the same
 * dialect; in the translation lane it is told again in the provider's words. State that we tagged for another dialect
 * means nothing to a provider until it is untagged, so bodies that hold it are always translated.
 */
export type Lane =
  | (LaneCommon & { readonly kind: 'express'; readonly express: ExpressLane })
  | (LaneCommon & { readonly kind: 'translated'; readonly codec: ChatCodec });

export type LaneMap = {
  readonly findProvider: (id: string) => ChatProvider | undefined;
  readonly findModel: (id: string) => ModelFacts | undefined;
};

/**
 * Chooses the lane and writes the call. A request whose media was put into it (`inlined`) is not the caller's own body any
 * more and gets translated. Throws the caller's error when the request cannot be said to this provider.
 */
export function chooseLane(session: ChatSession, attempt: Attempt, map: LaneMap & { readonly inlined?: ChatRequest | undefined }): Lane {
  const { provider, target } = findTarget(session, attempt, map);
  const losses = createLossReport();
  const { codec } = provider;
  const express = map.inlined === undefined ? findExpressLane(session, provider, target) : undefined;
  if (express !== undefined) {
    checkExpressBody(session.dialect, session.body.json);
    const call = express.encodeOriginal(session.original(), target, session.work.passport.stream);
    for (const name of call.dropped ?? []) losses.dropped.add(name);
    for (const name of call.approximated ?? []) losses.approximated.add(name);
    checkLosses(losses, session.work.passport.isStrict);
    return { kind: 'express', provider, target, losses, express, call };
  }
  if (codec === null) {
    throw new GatewayError('model_not_found', `The model "${attempt.modelId}" cannot be used through this endpoint.`, { field: 'model' });
  }
  const call = codec.encodeRequest(map.inlined ?? session.asked(), target, losses);
  checkLosses(losses, session.work.passport.isStrict);
  return { kind: 'translated', provider, target, losses, codec, call };
}

/** The provider's own lane for the caller's dialect; undefined when the body has to be translated. */
export function findExpressLane(session: ChatSession, { express }: ChatProvider, target: ProviderTarget): ExpressLane | undefined {
  if (express?.dialect !== session.dialect || hasStateTag(session.body.text)) return undefined;
  return express.suits?.(session.original(), target) === false ? undefined : express;
}

/** Throws when the provider of an attempt is not set up here. */
export function findTarget(
  session: ChatSession,
  attempt: Attempt,
  map: LaneMap,
): { readonly provider: ChatProvider; readonly target: ProviderTarget } {
  const provider = map.findProvider(attempt.providerId);
  const model = map.findModel(attempt.modelId);
  if (provider === undefined || model === undefined) {
    throw new GatewayError('provider_not_configured', `The provider of the model "${attempt.modelId}" is not set up in this gateway.`);
  }
  return { provider, target: { attempt, model, callerHeaders: session.work.headers } };
}

/** Throws when something was lost and the caller asked for a refusal then. */
export function checkLosses(losses: LossReport, isStrict: boolean): void {
  const lost = [...losses.dropped, ...losses.approximated];
  if (!isStrict || lost.length === 0) return;
  throw new GatewayError(
    'unsupported_field',
    `This model's provider cannot express exactly: ${lost.join(', ')}. Leave it out, or send the request without x-weir-strict.`,
    {
      field: lost[0] ?? '',
    },
  );
}
