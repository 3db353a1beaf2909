import { NODE_TIMERS, type Timer, type Timers } from '@weir/contracts';
import type { HoldStore, HoldTruth } from '@weir/limits';
import type { HeldUsage } from '@weir/usage';
import type { AggregatorLog } from './aggregator-log';

export type HoldParts = {
  readonly store: HoldStore;
  readonly truth: HoldTruth;
  /** Of Node unless given, as in a simulation. */
  readonly timers?: Timers;
};

/** Reports to the counters of limits what a committed batch has added up to. False while some of it could not be reported. */
export type ConfirmHolds = (holds: readonly HeldUsage[]) => Promise<boolean>;

/** Holds to confirm, by organization and scope. */
type Pending = Map<string, Map<string, Set<string>>>;

/** Each is a question to Postgres and a call of Redis; a batch may be about hundreds. */
const ORGANIZATIONS_AT_ONCE = 4;

/** For the case that no batch comes that takes over what could not be reported. */
const RETRY_AFTER_MS = 5_000;

/**
 * Call it after the commit: what is read then includes the batch, so that the holds of its events are no longer needed.
 * What could not be reported is reported with the next batch, or after a while; repeating harms nothing. Batches may be
 * reported concurrently: the result of each covers its own holds and what it took over, not what another one took over.
 */
export function createConfirmHolds(parts: HoldParts, log: Pick<AggregatorLog, 'warn'>): ConfirmHolds {
  let left: Pending = new Map();
  const { timers = NODE_TIMERS } = parts;
  let retry: Timer | undefined;
  /** How many are reporting what earlier ones left. */
  let takeovers = 0;

  const confirmLeft = async (holds: readonly HeldUsage[]): Promise<boolean> => {
    const pending = left;
    left = new Map();
    const taken = pending.size > 0 ? 1 : 0;
    // The caller goes on to publish the watermarks of earlier batches as well, and holds of those are still under way then.
    let isAllReported = takeovers === 0;
    takeovers += taken;
    for (const hold of holds) noteHold(pending, hold);
    const asked = pending.entries();
    const confirmNext = async (): Promise<void> => {
      for (const [organizationId, scopes] of asked) {
        try {
          await confirm(parts, organizationId, scopes);
        } catch (error) {
          isAllReported = false;
          addHolds(left, organizationId, scopes);
          log.warn({ error, organizationId, scopes: scopes.size }, 'holds could not be confirmed; they go on counting for now');
        }
      }
    };
    await Promise.all(Array.from({ length: ORGANIZATIONS_AT_ONCE }, confirmNext));
    takeovers -= taken;
    if (left.size > 0) retry ??= timers.setTimeout(reportAgain, RETRY_AFTER_MS).unref();
    return isAllReported;
  };
  const reportAgain = (): void => {
    retry = undefined;
    void confirmLeft([]);
  };
  return confirmLeft;
}

function addHolds(pending: Pending, organizationId: string, scopes: ReadonlyMap<string, Iterable<string>>): void {
  const known = pending.get(organizationId) ?? new Map<string, Set<string>>();
  pending.set(organizationId, known);
  for (const [scope, holdIds] of scopes) known.set(scope, new Set([...(known.get(scope) ?? []), ...holdIds]));
}

async function confirm(
  { store, truth }: HoldParts,
  organizationId: string,
  scopes: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const bases = await truth.readBases(organizationId, [...scopes.keys()]);
  await store.confirm(
    organizationId,
    bases.map((base) => ({ ...base, holdIds: [...(scopes.get(base.scope) ?? [])] })),
  );
}

function noteHold(pending: Pending, { organizationId, holdId, scopes, isLast }: HeldUsage): void {
  const known = pending.get(organizationId) ?? new Map<string, Set<string>>();
  pending.set(organizationId, known);
  for (const scope of scopes) {
    const holdIds = known.get(scope) ?? new Set<string>();
    if (isLast) holdIds.add(holdId);
    known.set(scope, holdIds);
  }
}
