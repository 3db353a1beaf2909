import type { Attempt, PriceSheet } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { Provider } from '../provider/provider';
import type { ModelFacts, ProviderTarget } from '../provider/target';

/** Where a worker looks up who serves an attempt. */
export type LaneMap = {
  /**
   * With the sealed `credential` of an attempt: the provider as the organization's own account sees it. `accountId`: which of the
   * gateway's accounts.
   */
  readonly findProvider: (id: string, credential?: string, accountId?: string) => Provider | undefined;
  readonly findModel: (id: string) => ModelFacts | undefined;
  /** The model that a reply names, where that is another one of its provider than the attempt's; absent: replies are not looked at. */
  readonly findServed?: (attempt: Attempt, reported: string) => ServedModel | undefined;
};

/** A model that replied in place of the one that was asked for, and what it costs. */
export type ServedModel = { readonly modelId: string; readonly prices: PriceSheet };

export type FoundTarget = { readonly provider: Provider; readonly target: ProviderTarget };

/** Throws when the provider of an attempt is not set up here. */
export function findTarget(attempt: Attempt, map: LaneMap, callerHeaders?: ProviderTarget['callerHeaders']): FoundTarget {
  const provider = map.findProvider(attempt.providerId, attempt.credential, attempt.accountId);
  const model = map.findModel(attempt.modelId);
  if (provider === undefined || model === undefined) throw refuseUnreached(attempt);
  return { provider, target: { attempt, model, ...(callerHeaders === undefined ? {} : { callerHeaders }) } };
}

/** Why an attempt cannot be made whose provider, or whose lane at it, is not set up here. */
export function refuseUnreached({ modelId }: Attempt): GatewayError {
  return new GatewayError('provider_not_configured', `The provider of the model "${modelId}" is not set up in this gateway.`);
}
