import type { Attempt, Modality, PolicyDocument } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ModelCatalog, ModelRecord } from '@weir/model-catalog';
import { expandPolicy, POLICY_PREFIX, type Place, type SkippedMember } from './resolve/expand-policy';
import { fillAttempts } from './resolve/fill-attempts';
import type { MeasuredLatency } from './resolve/order-members';
import { NO_ROUTES, type OrganizationRoutes } from './resolve/organization-routes';
import { routeOf } from './route-key';

export type RoutingMap = {
  readonly catalog: ModelCatalog;
  /** Whether there is a provider of this id with credentials, for this modality. */
  readonly isRoutable: (providerId: string, modality: Modality) => boolean;
  /** Policies that every organization has, by name; one of its own with the same name takes precedence. */
  readonly managed?: ReadonlyMap<string, PolicyDocument> | undefined;
  /** What is known of places; absent: nothing. */
  readonly health?:
    | {
        readonly latencyOf: (attempt: Attempt, isStream: boolean) => MeasuredLatency;
        readonly isEjected: (route: string) => boolean;
      }
    | undefined;
};

/** Whose request a plan is for. What is absent decides nothing. */
export type PlanAsk = {
  readonly routes?: OrganizationRoutes;
  /** Why this caller may not have a model: it is left out of policies, and refused when it was named itself. */
  readonly checkRecord?: (record: ModelRecord) => GatewayError | undefined;
  /** What a policy's requests go the same way by; asked only when one does. */
  readonly stickyValue?: (by: NonNullable<PolicyDocument['sticky_by']>) => string | null;
  readonly isStream?: boolean;
  /** The most that this request may cost at a place, in pico-dollars. */
  readonly priceOf?: (attempt: Attempt) => bigint;
  /** 0 ≤ number < 1. */
  readonly random?: () => number;
};

export type AttemptPlan = {
  /** Of the first attempt. */
  readonly record: ModelRecord;
  readonly attempts: readonly [Attempt, ...Attempt[]];
  /** Members of a policy that this request cannot use. */
  readonly skipped: readonly SkippedMember[];
};

/**
 * Where a request for a model, an alias or a policy goes, in order. Throws `model_not_found` for an unknown name or one of
 * another modality, `provider_not_configured` when nothing here can reach it, and what `checkRecord` has against it.
 */
export function planAttempts(modelId: string, modality: Modality, map: RoutingMap & { readonly ask?: PlanAsk }): AttemptPlan {
  const { ask = {} } = map;
  const { aliases } = ask.routes ?? NO_ROUTES;
  const named = aliases.get(modelId);
  const isRule = named !== undefined || modelId.startsWith(POLICY_PREFIX);
  if (isRule && modality !== 'chat') throw notFound(`"${modelId}" is for chat; this endpoint serves ${modality} models.`);
  const target = named ?? modelId;
  const toPlace = (id: string): Place => findPlace(id, modality, { map, ask });
  if (target.startsWith(POLICY_PREFIX)) return planPolicy(target, { map, ask, toPlace });
  const place = toPlace(target);
  const attempt = named === undefined ? place.attempt : { ...place.attempt, why: `the alias "${modelId}"` };
  return { record: place.record, attempts: [attempt], skipped: [] };
}

type Planning = { readonly map: RoutingMap; readonly ask: PlanAsk };

function planPolicy(policyId: string, { map, ask, toPlace }: Planning & { readonly toPlace: (id: string) => Place }): AttemptPlan {
  const { health } = map;
  const { routes = NO_ROUTES, isStream = false } = ask;
  const { steps, skipped } = expandPolicy(policyId, {
    findPolicy: (name) => routes.policies.get(name) ?? map.managed?.get(name),
    findPlace: toPlace,
    stickyValue: ask.stickyValue ?? (() => null),
    priceOf: ask.priceOf ?? (() => 0n),
    latencyOf: (attempt) => health?.latencyOf(attempt, isStream) ?? { meanMs: 0, samples: 0 },
    random: ask.random ?? Math.random,
  });
  const isEjected = ({ place }: (typeof steps)[number]): boolean => health?.isEjected(routeOf(place.attempt)) === true;
  const [first, ...rest] = [...steps.filter((step) => !isEjected(step)), ...steps.filter(isEjected)];
  if (first === undefined) throw explainEmpty(policyId, skipped);
  return { record: first.place.record, attempts: fillAttempts([first, ...rest]), skipped };
}

function findPlace(id: string, modality: Modality, { map, ask }: Planning): Place {
  const { catalog } = map;
  const record = catalog.find(id);
  if (record === undefined) {
    throw notFound(`The model "${id.slice(0, 200)}" is not known here. GET /v1/models lists the models that are.`);
  }
  if (record.modality !== modality) {
    throw notFound(`The model "${id}" is for ${record.modality}; this endpoint serves ${modality} models.`);
  }
  if (!map.isRoutable(record.provider, modality)) {
    throw new GatewayError('provider_not_configured', `The provider of the model "${id}" is not set up in this gateway.`, {
      field: 'model',
    });
  }
  const refusal = ask.checkRecord?.(record);
  if (refusal !== undefined) throw refusal;
  return { record, attempt: toAttempt(record, catalog) };
}

function toAttempt(record: ModelRecord, catalog: ModelCatalog): Attempt {
  return {
    modelId: record.id,
    providerId: record.provider,
    upstreamModel: record.upstreamModel,
    region: record.region ?? null,
    prices: catalog.priceSheet(record),
    isByok: false,
    isFree: catalog.isFree(record),
  };
}

/** What stands in the way of most: what the caller may not have weighs more than what is not there. */
const WEIGHT = ['data_policy', 'model_not_allowed', 'provider_not_configured', 'model_not_found'] as const;

function explainEmpty(policyId: string, skipped: readonly SkippedMember[]): GatewayError {
  const code = WEIGHT.find((one) => skipped.some((member) => member.code === one)) ?? 'model_not_found';
  const shown = skipped.slice(0, 10).map(({ id, code: why }) => `"${id}" (${why})`);
  return new GatewayError(code, `None of the models of "${policyId}" can be used by this request: ${shown.join(', ')}.`, {
    field: 'model',
  });
}

function notFound(message: string): GatewayError {
  return new GatewayError('model_not_found', message, { field: 'model' });
}
