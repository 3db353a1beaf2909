import type { Attempt, Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { askWhichMeant, bareName, suggestNames, SUGGESTIONS_MAX, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import { isPlaceEjected } from './is-place-ejected';
import { expandPolicy, POLICY_PREFIX, type Place, type SkippedMember } from './resolve/expand-policy';
import { fillAttempts } from './resolve/fill-attempts';
import { NO_ROUTES } from './resolve/organization-routes';
import { recognizeName } from './resolve/recognize-name';
import type { PlanAsk, RoutingMap } from './resolve/routing-map';

export type AttemptPlan = {
  /** What was asked for, by its full id; aliases and policies by their own names. */
  readonly requested: string;
  /** The preview feature that a suffix of the name asked for. */
  readonly beta: string | null;
  /** Of the first attempt. */
  readonly record: ModelRecord;
  readonly attempts: readonly [Attempt, ...Attempt[]];
  /** Members of a policy that this request cannot use. */
  readonly skipped: readonly SkippedMember[];
  /** Whether every request for this name goes the same way. Those for a policy may go by chance, by their content, or by what is healthy. */
  readonly isSteady: boolean;
};

/**
 * Where a request for a model, an alias or a policy goes, in order. A model may be named as its vendor names it. Throws
 * `model_not_found` for an unknown name or one of another modality, `provider_not_configured` when nothing here can reach
 * it, and what `checkRecord` has against it.
 */
export function planAttempts(modelId: string, modality: Modality, map: RoutingMap & { readonly ask?: PlanAsk }): AttemptPlan {
  const { ask = {} } = map;
  const planning: Planning = { map, ask, modality };
  const name = recognizeName(modelId, planning);
  if (name === undefined) throw notKnown(modelId, planning);
  const { kind, target, requested, beta } = name;
  if (kind !== 'model' && modality !== 'chat') throw notFound(`"${modelId}" is for chat; this endpoint serves ${modality} models.`);
  const plan = { requested, beta };
  const names = kind === 'model' ? NO_NAMES : [requested, target];
  if (target.startsWith(POLICY_PREFIX)) return { ...plan, ...planPolicy(target, { ...planning, names }), isSteady: false };
  const place = findPlace(target, { ...planning, names, isFullId: requested === modelId });
  const attempt = kind === 'alias' ? { ...place.attempt, why: `the alias "${requested}"` } : place.attempt;
  return { ...plan, record: place.record, attempts: [attempt], skipped: [], isSteady: true };
}

const NO_NAMES: readonly string[] = [];

type Planning = { readonly map: RoutingMap; readonly ask: PlanAsk; readonly modality: Modality };
/** `names` led to the model that is looked for. */
type Placing = Planning & { readonly names: readonly string[]; readonly isFullId?: boolean };

function planPolicy(policyId: string, placing: Placing): Pick<AttemptPlan, 'record' | 'attempts' | 'skipped'> {
  const { map, ask, names } = placing;
  const { health } = map;
  const { routes = NO_ROUTES, isStream = false } = ask;
  const { steps, skipped } = expandPolicy(policyId, {
    findPolicy: (name) => routes.policies.get(name) ?? map.managed?.get(name),
    findPlace: (id, inner) => findPlace(id, { ...placing, names: inner === policyId ? names : [...names, inner] }),
    stickyValue: ask.stickyValue ?? (() => null),
    priceOf: ask.priceOf ?? (() => 0n),
    latencyOf: (attempt) => health?.latencyOf(attempt, isStream) ?? { meanMs: 0, samples: 0 },
    random: ask.random ?? Math.random,
    trace: ask.trace,
  });
  const isEjected = ({ place }: (typeof steps)[number]): boolean => isPlaceEjected(place.attempt, map);
  const [first, ...rest] = [...steps.filter((step) => !isEjected(step)), ...steps.filter(isEjected)];
  if (first === undefined) throw explainEmpty(policyId, skipped);
  return { record: first.place.record, attempts: fillAttempts([first, ...rest]), skipped };
}

function findPlace(id: string, placing: Placing): Place {
  const { map, ask, modality, names } = placing;
  const { catalog } = map;
  const record = catalog.find(id);
  if (record === undefined) throw notFound(`The model ${quote(id)} is not known here. ${LISTED}`);
  if (record.modality !== modality) {
    throw notFound(`The model "${id}" is for ${record.modality}; this endpoint serves ${modality} models.`);
  }
  if (!map.isRoutable(record.provider, modality)) throw notSetUp(record, placing);
  const refusal = ask.checkRecord?.(record, names);
  if (refusal !== undefined) throw refusal;
  return { record, attempt: toAttempt(record, catalog) };
}

const LISTED = 'GET /v1/models lists the models that are.';

function notKnown(modelId: string, planning: Planning): GatewayError {
  const meant = askWhichMeant(suggestModels(modelId, planning));
  if (modelId.startsWith(POLICY_PREFIX)) {
    return notFound(`There is no policy ${quote(modelId)}.${meant} GET /v1/models/managed lists those there are.`);
  }
  return notFound(`The model ${quote(modelId)} is not known here.${meant} ${LISTED}`);
}

function notSetUp({ id, provider, canonicalName }: ModelRecord, placing: Placing): GatewayError {
  const { map, names } = placing;
  const settings = map.settingsOf?.(provider);
  const missing = settings === undefined ? '.' : `: ${settings} is not set.`;
  // A member of a policy is skipped without a word.
  const meant = names.length === 0 ? askWhichMeant(suggestOthers({ id, canonicalName }, placing)) : '';
  return new GatewayError('provider_not_configured', `The provider of the model "${id}" is not set up in this gateway${missing}${meant}`, {
    field: 'model',
  });
}

/** The same model elsewhere; for a vendor's own name of a model that is nowhere, models of a similar name. */
function suggestOthers({ id, canonicalName }: Pick<ModelRecord, 'id' | 'canonicalName'>, planning: Placing): string[] {
  const { exact, related } = planning.map.catalog.findBare(bareName(id));
  const elsewhere = [...exact, ...related].filter((other) => other.canonicalName === canonicalName && isUsable(other, planning));
  if (elsewhere.length > 0 || planning.isFullId === true) return elsewhere.slice(0, SUGGESTIONS_MAX).map((other) => other.id);
  return suggestModels(id, planning);
}

function isUsable(record: ModelRecord, { map, ask, modality }: Planning): boolean {
  return record.modality === modality && map.isRoutable(record.provider, modality) && ask.checkRecord?.(record, NO_NAMES) === undefined;
}

/** Names that resemble one that is not known, of what this caller may use here. */
function suggestModels(wrong: string, planning: Planning): string[] {
  const { map, ask, modality } = planning;
  const { routes = NO_ROUTES } = ask;
  const policies = modality === 'chat' ? [...routes.policies.keys(), ...(map.managed?.keys() ?? [])] : [];
  const aliases = modality === 'chat' ? routes.aliases.keys() : [];
  const names = new Set([...map.catalog.list(modality).map(({ id }) => id), ...aliases, ...policies.map((name) => POLICY_PREFIX + name)]);
  return suggestNames(wrong, names, (name) => {
    const record = routes.aliases.has(name) ? undefined : map.catalog.find(name);
    if (record !== undefined) return isUsable(record, planning);
    try {
      planAttempts(name, modality, { ...map, ask });
      return true;
    } catch (error) {
      if (error instanceof GatewayError) return false;
      throw error;
    }
  });
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

function quote(name: string): string {
  return `"${name.slice(0, 200)}"`;
}

function notFound(message: string): GatewayError {
  return new GatewayError('model_not_found', message, { field: 'model' });
}
