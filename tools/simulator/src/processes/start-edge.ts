import type { Principal } from '@weir/access';
import { getEndpoint, type Attempt, type Passport, type PassportHold } from '@weir/contracts';
import { createHoldTruth } from '@weir/database';
import { createLeaseBook, createRequestHolds } from '@weir/edge-router';
import { findFreeSlot, freeModelLimit, type FreeSlot } from '@weir/limits';
import type { ModelCatalog } from '@weir/model-catalog';
import type { Customer } from '../load/customers';
import type { Script } from '../load/script';
import { writeBody } from '../load/write-body';
import { createCounterClient, type CounterClient } from '../parts/counter-client';
import { openPool } from '../parts/postgres/open-pool';
import { Line, LineError } from '../physics/line';
import type { SimProcess } from '../physics/sim-process';
import type { Ending, World } from '../world/world';
import { createQuietLog } from './quiet-log';

export type EdgeLife = {
  /** Admits a request and has it served; resolves with what its caller reads, or why it got nothing. */
  request(requestId: string, customer: Customer, script: Script): Promise<Ending | 'refused' | 'failed'>;
  /** Gives leases back, as an edge does that ends in order. */
  close(): Promise<void>;
};

const FORWARD_TIMEOUT_MS = 60_000;
const BEGIN_SHARE = 2 / 3;
/** No model of a world is in it: all there is to know of them is in their attempts. */
const EMPTY_CATALOG = { find: () => undefined } as unknown as ModelCatalog;

/** The product's holds and leases of an edge; what it admits is by script, and forwarded over a line. */
export function startEdge(world: World, process: SimProcess): EdgeLife {
  const client = createCounterClient(process, world.counters);
  const { now, elapsed, timers } = process;
  const leases = createLeaseBook({ store: client.holds, now: elapsed, timers });
  const holds = createRequestHolds({
    ...{ store: client.holds, truth: createHoldTruth(openPool(process, world.database)), catalog: EMPTY_CATALOG, leases },
    policy: { isBalanceRequired: false },
    circuit: (call) => call(),
    ...{ holdTtlMs: world.settings.holdTtlMs, count: () => undefined, now, log: createQuietLog(process) },
  });
  return {
    request: async (requestId, customer, script) => {
      const attempts = script.isFree ? customer.freePlan : (customer.plans[script.attempts - 1] as readonly Attempt[]);
      const admittedAtMs = now();
      const passport = describe(requestId, customer, { script, attempts, admittedAtMs });
      const slot = findFreeSlot(passport);
      if (slot !== undefined) {
        passport.freePlaceByMs = Math.floor(now() + client.freeDays.keptMs * BEGIN_SHARE);
        if (!(await takeSlot(client, slot, customer))) return 'refused';
      }
      const body = writeBody(script);
      const ask = { principal: { key: customer.key } as Principal, requestId, endpoint: getEndpoint('chat-completions'), attempts };
      const parsed = { text: body, json: JSON.parse(body) as Record<string, unknown> };
      const askedOf = world.counters.generation;
      let hold: PassportHold | null;
      try {
        const setHeader = (): void => undefined;
        const held = await holds.hold({ ...ask, parsed, bodyBytes: body.length, bound: customer.bound, admittedAtMs, setHeader });
        hold = held?.hold ?? null;
      } catch (error) {
        process.step('refuse');
        if (slot !== undefined) client.freeDays.giveBack(slot).catch(() => undefined);
        world.trace.note(process.name, `refuses ${requestId}: ${error instanceof Error ? error.message.slice(0, 60) : ''}`);
        return 'refused';
      }
      passport.hold = hold;
      if (hold !== null) world.granted(customer.key.organizationId, hold, askedOf);
      return forward({ world, process, passport, script }).catch((error: unknown) => {
        if (error instanceof LineError && error.isCertain) {
          if (hold !== null) holds.giveBack(customer.key.organizationId, hold).catch(() => undefined);
          if (slot !== undefined) client.freeDays.giveBack(slot).catch(() => undefined);
        }
        return 'failed' as const;
      });
    },
    close: () => leases.close(),
  };
}

async function takeSlot({ freeDays }: CounterClient, slot: FreeSlot, { key }: Customer): Promise<boolean> {
  try {
    return (await freeDays.take(slot, freeModelLimit(key.organization.tier))).isAllowed;
  } catch {
    freeDays.giveBack(slot).catch(() => undefined);
    return false;
  }
}

type Forwarding = { readonly world: World; readonly process: SimProcess; readonly passport: Passport; readonly script: Script };

/** To one worker. The caller is gone when it leaves, or when this edge is. */
function forward({ world, process, passport, script }: Forwarding): Promise<Ending> {
  const slot = world.dice.load.pick(world.workers);
  const leavesAtMs = script.leavesAfterMs === null ? Infinity : world.scheduler.nowMs + script.leavesAfterMs;
  const isGone = (): boolean => world.scheduler.nowMs >= leavesAtMs || !process.isAlive;
  const line = new Line(process, slot);
  world.trace.note(
    process.name,
    `forwards ${passport.requestId} to ${slot.name}, held ${passport.hold?.reservedPico ?? '-'}${passport.hold?.isLeased === true ? ' leased' : ''}`,
  );
  return line.call({ what: `request ${passport.requestId}`, timeoutMs: FORWARD_TIMEOUT_MS }, () =>
    slot.serve(passport, script, { isGone }),
  );
}

type Described = { readonly script: Script; readonly attempts: readonly Attempt[]; readonly admittedAtMs: number };

function describe(requestId: string, { key, chargesFailures }: Customer, { script, attempts, admittedAtMs }: Described): Passport {
  return {
    version: 1,
    ...{ requestId, endpointId: 'chat-completions', admittedAtMs, deadlineMs: FORWARD_TIMEOUT_MS, hold: null },
    caller: {
      ...{ organizationId: key.organizationId, apiKeyId: key.apiKeyId, userId: key.userId, groupId: key.groupId },
      ...{ apiKeyLabelSetId: null, groupLabelSetId: null },
    },
    ...{ modelRequested: attempts[0]?.modelId ?? '', stream: script.isStream, attempts: [...attempts] },
    ...{ originTitle: null, endUserId: null, traceId: null, extra: {}, isStrict: false },
    ...(chargesFailures ? { chargesFailures } : {}),
  };
}
