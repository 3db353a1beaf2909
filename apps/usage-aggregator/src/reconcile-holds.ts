import { NODE_TIMERS, type Timer } from '@weir/contracts';
import type { ScopeState } from '@weir/limits';
import type { HoldParts } from './confirm-holds';
import type { AggregatorLog } from './aggregator-log';

export type HoldReconciler = {
  /** Compares everything once; returns how many scopes had to be corrected. */
  run(): Promise<number>;
  stop(): void;
};

/** By then workers have reported their holds again, and some of it was committed meanwhile. */
const AFTER_LOSS_MS = 10_000;
/** So many holds of one scope are looked up at a time. */
const LOOKED_UP_MAX = 5_000;

type Scope = { readonly scope: string; readonly state: ScopeState };

/**
 * Compares the counters of limits with what is committed, now and then and after they were lost: a base that is behind
 * is raised, and holds whose request is counted by now are confirmed. So no confirmation that got lost counts anything
 * twice for long.
 */
export function startHoldReconciler(parts: HoldParts, log: AggregatorLog, everyMs: number): HoldReconciler {
  const { timers = NODE_TIMERS } = parts;
  const run = async (): Promise<number> => {
    let corrected = 0;
    for (const [organizationId, names] of groupScopes(await parts.store.listScopes())) {
      const scopes = await Promise.all(names.map(async (scope) => ({ scope, state: await parts.store.readScope(organizationId, scope) })));
      corrected += await correct(parts, organizationId, scopes);
    }
    if (corrected > 0) log.info({ scopes: corrected }, 'the counters of limits were brought up to what is committed');
    return corrected;
  };
  const tryRun = (): void => {
    run().catch((error: unknown) => log.warn({ error }, 'the counters of limits could not be compared with what is committed'));
  };
  const timer = timers.setInterval(tryRun, everyMs).unref();
  let afterLoss: Timer | undefined;
  const forgetLoss = parts.store.onLoss(() => {
    timers.clearTimeout(afterLoss);
    afterLoss = timers.setTimeout(tryRun, AFTER_LOSS_MS).unref();
  });
  return {
    run,
    stop: () => {
      timers.clearInterval(timer);
      timers.clearTimeout(afterLoss);
      forgetLoss();
    },
  };
}

function groupScopes(scopes: readonly { organizationId: string; scope: string }[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { organizationId, scope } of scopes) groups.set(organizationId, [...(groups.get(organizationId) ?? []), scope]);
  return groups;
}

async function correct({ store, truth }: HoldParts, organizationId: string, scopes: readonly Scope[]): Promise<number> {
  const doubtful = new Set(scopes.flatMap(({ state }) => listDoubtful(state)));
  const committed = await truth.findCommitted(organizationId, [...doubtful]);
  // Read after it was known what is committed, so that the base includes all of it.
  const bases = await truth.readBases(
    organizationId,
    scopes.map(({ scope }) => scope),
  );
  const confirmations = bases.flatMap((base) => {
    const state = scopes.find(({ scope }) => scope === base.scope)?.state;
    const holdIds = state === undefined ? [] : listDoubtful(state).filter((id) => committed.has(id));
    return state !== undefined && (holdIds.length > 0 || base.version > state.version) ? [{ ...base, holdIds }] : [];
  });
  if (confirmations.length > 0) await store.confirm(organizationId, confirmations);
  return confirmations.length;
}

/** Holds that should have been confirmed before long. */
function listDoubtful({ settled, open }: ScopeState): string[] {
  return [...settled, ...open.filter(({ isExpired }) => isExpired)].slice(0, LOOKED_UP_MAX).map(({ holdId }) => holdId);
}
