import type { UsageEvent } from '@weir/contracts';
import type { Database } from '@weir/database';
import { traceOf } from '../load/client-request';
import { findModel } from '../load/models';
import type { ClientResult } from '../load/send-request';
import type { OracleEntry } from '../provider/start-sim-provider';
import { checkAttempt } from './check-attempt';
import { checkLimits } from './check-limits';
import { countDeadLetters, eventsOf, readBrokenWriters, readEvents, readHours, readLedger, readTotals } from './read-money';

type Evidence = {
  readonly pool: Database['pool'];
  /** Everything that was ever sent to this database's gateway. */
  readonly results: readonly ClientResult[];
  readonly oracle: readonly OracleEntry[];
  /** Dead letters that the scenario made on purpose. */
  readonly deadLetters?: number;
};

export type Verdict = {
  readonly requests: number;
  readonly completed: number;
  readonly attempts: number;
  readonly events: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Begun in the journal, killed before they reached the provider. */
  readonly unsent: number;
  readonly aborted: number;
  readonly costPico: string;
  /** Empty when every invariant holds. */
  readonly violations: readonly string[];
};

/** Compares what clients saw, what the provider billed, and what five tables and a ledger say. Only for a system at rest. */
export async function checkInvariants(evidence: Evidence): Promise<Verdict> {
  const { pool, results, oracle } = evidence;
  const events = await readEvents(pool);
  const oracleOf = new Map(oracle.map((entry) => [entry.seed, entry]));
  const violations: string[] = [];
  const counts = { lost: 0, duplicated: 0, unsent: 0, aborted: 0, cost: 0n };
  for (const result of results) {
    const { seed } = result.request;
    const own = eventsOf(events, seed);
    const billed = oracleOf.get(seed);
    if (own.length > 1) counts.duplicated += own.length - 1;
    if (billed !== undefined && own.length === 0) counts.lost += 1;
    if (billed === undefined && own.length > 0) counts.unsent += 1;
    if (own[0]?.status === 'aborted_crash') counts.aborted += 1;
    violations.push(...checkAttempt({ result, events: own, oracle: billed }).map((what) => `seed ${seed}: ${what}`));
  }
  const all = [...events.values()].flat();
  for (const event of all) counts.cost += BigInt(event.cost_p);
  if (counts.lost > 0) violations.push(`I2: ${counts.lost} attempts have no event`);
  if (counts.duplicated > 0) violations.push(`I2: ${counts.duplicated} events too many`);
  violations.push(
    ...checkSum(all, results, oracleOf),
    ...(await checkStore(evidence, all.length, counts.cost)),
    ...(await checkHours(pool, all)),
    ...(await checkLimits(pool, all)),
  );
  return {
    requests: results.length,
    completed: results.filter(({ isComplete }) => isComplete).length,
    attempts: oracle.length,
    events: all.length,
    lost: counts.lost,
    duplicated: counts.duplicated,
    unsent: counts.unsent,
    aborted: counts.aborted,
    costPico: counts.cost.toString(),
    violations,
  };
}

/** I1: what finished cost exactly what the provider billed, in all. */
function checkSum(events: readonly UsageEvent[], results: readonly ClientResult[], oracleOf: ReadonlyMap<number, OracleEntry>): string[] {
  const modelOf = new Map(results.map(({ request }) => [traceOf(request.seed), request]));
  let charged = 0n;
  let billed = 0n;
  for (const event of events) {
    const request = modelOf.get(event.trace_id ?? '');
    const entry = request === undefined ? undefined : oracleOf.get(request.seed);
    if (event.status !== 'ok' || request === undefined || entry === undefined) continue;
    const { inputPico, outputPico } = findModel(request.model);
    charged += BigInt(event.cost_p);
    billed += BigInt(entry.billedInput) * inputPico + BigInt(entry.billedOutput) * outputPico;
  }
  return charged === billed ? [] : [`I1: events of finished attempts cost ${charged} p$, the provider bills ${billed} p$`];
}

/** T1: an event counts in the hour of its admission by whole division, whatever anybody's time zone. */
async function checkHours(pool: Evidence['pool'], events: readonly UsageEvent[]): Promise<string[]> {
  const expected = new Map<number, { attempts: number; cost: bigint }>();
  for (const { admitted_at: admittedAt, cost_p: cost } of events) {
    const hour = Math.floor(admittedAt / HOUR_MS) * HOUR_SECONDS;
    const known = expected.get(hour) ?? { attempts: 0, cost: 0n };
    expected.set(hour, { attempts: known.attempts + 1, cost: known.cost + BigInt(cost) });
  }
  const found = await readHours(pool);
  const hours = new Set([...expected.keys(), ...found.keys()]);
  return [...hours].flatMap((hour) => {
    const { attempts = 0, cost = 0n } = expected.get(hour) ?? {};
    const wanted = `${attempts} for ${cost} p$`;
    return found.get(hour) === wanted ? [] : [`T1: the hour at ${hour} has ${found.get(hour) ?? 'nothing'} instead of ${wanted}`];
  });
}

const HOUR_MS = 3_600_000;
const HOUR_SECONDS = 3_600;

/** I3 to I5. */
async function checkStore({ pool, deadLetters = 0 }: Evidence, attempts: number, cost: bigint): Promise<string[]> {
  const violations: string[] = [];
  for (const total of await readTotals(pool)) {
    if (total.attempts !== String(attempts) || total.cost !== String(cost))
      violations.push(`I3: ${total.place} has ${total.attempts} attempts for ${total.cost} p$, the events ${attempts} for ${cost} p$`);
  }
  const ledger = await readLedger(pool);
  for (const [what, holds] of Object.entries(ledger)) if (!holds) violations.push(`I4: the ledger is not ${what}`);
  for (const writer of await readBrokenWriters(pool)) violations.push(`I5: writer ${writer}`);
  const letters = await countDeadLetters(pool);
  if (letters !== deadLetters) violations.push(`I5: ${letters} dead letters instead of ${deadLetters}`);
  return violations;
}
