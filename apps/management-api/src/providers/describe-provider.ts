import type { Latency, MergedModel, MergedPlace, MergedProvider, Outcomes } from './merge-reports';

/** What is known of a provider without asking any process. */
export type ProviderFacts = {
  readonly id: string;
  readonly ownKeys: number;
  readonly models: number;
  readonly regions: readonly string[];
};

type State = 'ok' | 'partly_ejected' | 'ejected' | 'unknown';

/** Below this many attempts a share says little. */
const ATTEMPTS_FEW = 20;
const MODELS_SHOWN = 50;

/**
 * A provider as callers read it. How many attempts there were is not said of the operator's accounts: they are those of all
 * organizations.
 */
export function describeProvider(facts: ProviderFacts, merged: MergedProvider | undefined): Record<string, unknown> {
  const { id, ownKeys, models, regions } = facts;
  const { name = id, isSetUp = null, needs = [], keyWays = [], keyOptional = [], accounts = [] } = merged?.described ?? {};
  const known = { id, name, is_set_up: isSetUp, needs, key_ways: keyWays, key_optional: keyOptional };
  return { ...known, accounts: describeAccounts(accounts, merged), own_keys: ownKeys, models, regions, ...describeHealth(merged) };
}

type Accounts = NonNullable<MergedProvider['described']['accounts']>;

/** The operator's accounts, where they are more than one key; never what they are called by. */
function describeAccounts(accounts: Accounts, merged: MergedProvider | undefined): Record<string, unknown>[] {
  return accounts.map(({ id, weight, region }) => {
    const places = (merged?.places ?? []).filter(({ account, accountId }) => account === null && accountId === id);
    return { id, weight, region, state: findState(places, merged?.seenBy ?? 0) };
  });
}

function describeHealth(merged: MergedProvider | undefined): Record<string, unknown> {
  const { places = [], models = new Map<string, MergedModel>(), seenBy = 0 } = merged ?? {};
  const outcomes = sumOutcomes(places.map((place) => place.outcomes));
  const all = [...models.values()];
  return {
    health: {
      state: findState(places, seenBy),
      ...describeOutcomes(outcomes),
      latency_ms: { stream: meanOf(all.map(({ stream }) => stream)), whole: meanOf(all.map(({ whole }) => whole)) },
      ejected_until: encodeUntil(Math.max(0, ...places.map(({ ejectedUntilMs }) => ejectedUntilMs ?? 0))),
      seen_by: seenBy,
    },
    places: places.map((place) => describePlace(place, seenBy)),
    model_health: [...models]
      .sort(([idA, a], [idB, b]) => b.outcomes.attempts - a.outcomes.attempts || (idA < idB ? -1 : 1))
      .slice(0, MODELS_SHOWN)
      .map(([model, { outcomes: counted, stream, whole }]) => ({
        model,
        ...describeOutcomes(counted),
        latency_ms: { stream: meanOf([stream]), whole: meanOf([whole]) },
      })),
  };
}

function describePlace(place: MergedPlace, seenBy: number): Record<string, unknown> {
  return {
    region: place.region,
    provider_credential_id: place.account,
    account: place.accountId,
    state: findState([place], seenBy),
    ...describeOutcomes(place.outcomes),
    ejected_until: encodeUntil(place.ejectedUntilMs ?? 0),
    ejected_by: place.ejectedBy,
  };
}

/** `ejected`: every process leaves out every place; `partly_ejected`: some of it. */
function findState(places: readonly MergedPlace[], seenBy: number): State {
  if (places.length === 0) return 'unknown';
  if (places.every(({ ejectedBy }) => ejectedBy > 0 && ejectedBy >= seenBy)) return 'ejected';
  if (places.some(({ ejectedBy }) => ejectedBy > 0)) return 'partly_ejected';
  return 'ok';
}

function describeOutcomes({ attempts, failures }: Outcomes): Record<string, unknown> {
  return {
    error_share: attempts === 0 ? null : Math.round((failures / attempts) * 10_000) / 10_000,
    has_few_attempts: attempts < ATTEMPTS_FEW,
  };
}

function sumOutcomes(all: readonly Outcomes[]): Outcomes {
  return all.reduce((sum, one) => ({ attempts: sum.attempts + one.attempts, failures: sum.failures + one.failures }), {
    attempts: 0,
    failures: 0,
  });
}

function meanOf(all: readonly Latency[]): number | null {
  const samples = all.reduce((sum, one) => sum + one.samples, 0);
  return samples === 0 ? null : Math.round(all.reduce((sum, one) => sum + one.weightedMs, 0) / samples);
}

function encodeUntil(untilMs: number): string | null {
  return untilMs === 0 ? null : new Date(untilMs).toISOString();
}
