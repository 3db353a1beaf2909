import type { UsageEvent } from '@weir/contracts';
import { isLimitScope, spendOfEvent, spentInScopes, type HoldStore } from '@weir/limits';
import { formatUsd } from '@weir/pricing';
import type { World } from '../world/world';
import type { RequestFacts } from '../oracle/oracle';

/** Places of measures in the rollups, by the order of their columns. */
const MEASURES = { requests: 0, attempts: 1, cost: 14, billed: 15 } as const;

/** What is broken once everything has come to rest; empty where all promises hold. */
export async function checkEnd(world: World): Promise<string[]> {
  const events = world.events();
  return [
    ...checkAttempts(world, events),
    ...checkRollups(world, events),
    ...checkMoney(world, events),
    ...checkSequences(world),
    ...(await checkCounters(world)),
    ...(await checkSlots(world, events)),
    ...checkJournals(world),
  ];
}

type Grouped = ReadonlyMap<string, UsageEvent[]>;

function checkAttempts({ oracle }: World, events: readonly UsageEvent[]): string[] {
  const counted = groupBy(events, ({ event_id: id }) => id);
  const ofRequests = groupBy(events, ({ request_id: id }) => id);
  const requests = [...oracle.requests.values()];
  return [
    ...[...counted].flatMap(([eventId, { length }]) => (length > 1 ? [`${eventId} is counted ${length} times`] : [])),
    ...requests.flatMap((request) => [...checkEvents(request, counted), ...checkReading(request, ofRequests)]),
    // Of what was begun in the instant in which its worker died, only the journal knows.
    ...events
      .filter(({ request_id: id, event_id: eventId, status }) => status !== 'aborted_crash' && !isKnown(oracle.requests.get(id), eventId))
      .map(({ event_id: eventId }) => `${eventId} never was`),
  ];
}

function checkEvents({ attempts }: RequestFacts, counted: Grouped): string[] {
  return [...attempts.values()].flatMap(({ eventId, isExcused, isEndLost, receiptPico }) => {
    const event = counted.get(eventId)?.[0];
    if (isExcused) return [];
    if (event === undefined) return [`${eventId} is lost`];
    if (isEndLost || receiptPico === undefined || BigInt(event.cost_p) === receiptPico) return [];
    return [`${eventId} was closed with ${receiptPico} and is counted with ${event.cost_p}`];
  });
}

/** What its caller read is what is counted. */
function checkReading({ id, seenUsd }: RequestFacts, ofRequests: Grouped): string[] {
  const sum = formatUsd(sumOf(ofRequests.get(id) ?? []));
  return seenUsd === null || seenUsd === sum ? [] : [`${id}: its caller read ${seenUsd}, counted is ${sum}`];
}

function groupBy(events: readonly UsageEvent[], by: (event: UsageEvent) => string): ReadonlyMap<string, UsageEvent[]> {
  const groups = new Map<string, UsageEvent[]>();
  for (const event of events) {
    const group = groups.get(by(event));
    if (group === undefined) groups.set(by(event), [event]);
    else group.push(event);
  }
  return groups;
}

function isKnown(request: RequestFacts | undefined, eventId: string): boolean {
  for (const attempt of request?.attempts.values() ?? []) if (attempt.eventId === eventId) return true;
  return false;
}

const sumOf = (events: readonly UsageEvent[]): bigint => events.reduce((sum, { cost_p: cost }) => sum + BigInt(cost), 0n);
const billedOf = (events: readonly UsageEvent[]): bigint => events.reduce((sum, { billed_p: billed }) => sum + BigInt(billed), 0n);

function checkRollups({ database: { tables } }: World, events: readonly UsageEvent[]): string[] {
  const expected = {
    requests: BigInt(events.filter(({ logical }) => logical).length),
    attempts: BigInt(events.length),
    cost: sumOf(events),
    billed: billedOf(events),
  };
  return (['hours', 'days', 'months'] as const).flatMap((table) =>
    (Object.keys(MEASURES) as (keyof typeof MEASURES)[]).flatMap((measure) => {
      let sum = 0n;
      for (const row of tables[table].values()) sum += row[MEASURES[measure]] ?? 0n;
      return sum === expected[measure] ? [] : [`${table} have ${sum} ${measure}, events ${expected[measure]}`];
    }),
  );
}

const compare = (what: string, is: bigint, should: bigint): string[] => (is === should ? [] : [`${what} is ${is}, events say ${should}`]);

function checkMoney(world: World, events: readonly UsageEvent[]): string[] {
  const { customers } = world;
  const organizations = [...new Set(customers.list.map(({ key }) => key.organizationId))];
  return [
    ...customers.list.flatMap(({ key }) => checkSpend(world, key.apiKeyId, events)),
    ...organizations.flatMap((organizationId) => checkLedger(world, organizationId, events)),
    ...checkLimitUse(world, events),
  ];
}

function checkSpend({ database: { tables } }: World, apiKeyId: string, events: readonly UsageEvent[]): string[] {
  let spent = 0n;
  for (const [place, row] of tables.spend) if (place.startsWith(`key ${apiKeyId} `)) spent += row.costPico;
  return compare(`spend of key ${apiKeyId}`, spent, sumOf(events.filter(({ api_key_id: id }) => id === apiKeyId)));
}

function checkLedger({ database: { tables } }: World, organizationId: string, events: readonly UsageEvent[]): string[] {
  let balance = 0n;
  for (const [place, pico] of tables.accounts) if (place.startsWith(organizationId)) balance += pico;
  const billed = billedOf(events.filter(({ org_id: id }) => id === organizationId));
  return [
    ...compare(`ledger of ${organizationId}`, tables.accounts.get(`${organizationId} usage`) ?? 0n, billed),
    ...compare(`both sides of the ledger of ${organizationId}`, balance, 0n),
  ];
}

function checkLimitUse({ database: { tables } }: World, events: readonly UsageEvent[]): string[] {
  const used = new Map<string, bigint>();
  for (const event of events) {
    const spent = spentInScopes(event.hold_scopes, spendOfEvent(event), event.hold_uncounted);
    for (const [at, scope] of event.hold_scopes.entries()) {
      const place = `${event.org_id} ${scope}`;
      if (isLimitScope(scope)) used.set(place, (used.get(place) ?? 0n) + (spent[at] ?? 0n));
    }
  }
  return [...used].flatMap(([place, amount]) => compare(`use of ${place}`, tables.limitUsage.get(place)?.used ?? 0n, amount));
}

function checkSequences({ database: { tables } }: World): string[] {
  const found: string[] = [];
  for (const [writerId, { seen }] of tables.writers) {
    if (seen.length > 1 || (seen[0]?.[0] ?? 0n) !== 0n) found.push(`journal ${writerId} has a hole: ${seen.map(String).join(' and ')}`);
  }
  for (const [place, { reason }] of tables.deadLetters) found.push(`a dead letter: ${reason} at ${place}`);
  return found;
}

/**
 * Leases aside, which edges may have. What was settled for an end that a power cut took with it goes on counting in its window:
 * no journal can say any more that it is not to come.
 */
async function checkCounters({ counters, database, oracle }: World): Promise<string[]> {
  const found: string[] = [];
  for (const { organizationId, scope } of await counters.holds.listScopes()) {
    await probe(counters.holds, organizationId, scope);
    const { open, settled, base } = await counters.holds.readScope(organizationId, scope);
    for (const { holdId, amount } of open)
      if (!holdId.startsWith('lease:')) found.push(`${amount} of ${scope} is still held for ${holdId}`);
    for (const { holdId, amount } of settled) {
      const isLost = [...(oracle.requests.get(holdId)?.attempts.values() ?? [])].some(({ isExcused }) => isExcused);
      if (!isLost) found.push(`${amount} of ${scope} is still settled for ${holdId}`);
    }
    const spent = database.readBase(organizationId, scope);
    if (base !== spent) found.push(`the counter of ${scope} starts from ${base}, committed is ${spent}`);
  }
  return found;
}

/** What has expired is given back when it is needed. */
async function probe(holds: HoldStore, organizationId: string, scope: string): Promise<void> {
  const held = { organizationId, holdId: 'probe', scopes: [scope] };
  await holds.reserve({ ...held, ttlMs: 1, limits: [{ scope, max: null }], amounts: [0n], leasts: [0n] });
  await holds.settle({ ...held, spent: [0n] });
}

/**
 * A worker that died after the first token has used its slot, also where its journal does not know of the token, or of the
 * attempt. Counts that were lost start from events again, and cannot distinguish those whose use is being reported at that moment.
 */
async function checkSlots(
  { counters, database, customers, scheduler, faults, workers, oracle }: World,
  events: readonly UsageEvent[],
): Promise<string[]> {
  const found: string[] = [];
  if (faults.counts.has('counters-lost')) return found;
  // Of one that died and could not report that a slot was used, only its journal knows.
  const unreported = workers.some(({ lives }) => lives > 1) ? Infinity : 0;
  const dayMs = 86_400_000;
  const todayMs = Math.floor(scheduler.nowMs / dayMs) * dayMs;
  for (const organizationId of new Set(customers.list.map(({ key }) => key.organizationId))) {
    for (const day of [todayMs, todayMs - dayMs]) {
      const used = await counters.freeDays.readUsed({ organizationId, dayMs: day });
      const committed = database.tables.freeDays.get(`${organizationId} ${day / 1000}`) ?? 0;
      const crashed = events.filter((event) => event.org_id === organizationId && event.is_free && event.status === 'aborted_crash').length;
      if (used < committed - unreported || used > committed + crashed + countLost(oracle, organizationId))
        found.push(`${used} free slots are taken of ${organizationId}, ${committed} are used`);
    }
  }
  return found;
}

/** Attempts of which a power cut, or a death on a full disk, may have taken all or a part. */
function countLost({ requests }: World['oracle'], organizationId: string): number {
  let lost = 0;
  for (const request of requests.values()) {
    if (request.organizationId !== organizationId) continue;
    for (const { isExcused, isEndLost } of request.attempts.values()) if (isExcused || isEndLost) lost += 1;
  }
  return lost;
}

/** Of each machine there is the journal of its one process, and nothing in it that is not counted. */
function checkJournals({ workers }: World): string[] {
  return workers.flatMap(({ name, disk, isAtRest }) => {
    const folders = disk.listJournals('/journal');
    if (folders.length !== 1) return [`${name} keeps ${folders.length} journals: ${folders.join(' ')}`];
    return isAtRest ? [] : [`${name} keeps usage that is not known to be counted`];
  });
}
