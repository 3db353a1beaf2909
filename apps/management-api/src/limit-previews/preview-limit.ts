import { randomUUID } from 'node:crypto';
import type { LimitDocument } from '@weir/contracts';
import { scanAdmitted, type OrganizationDatabases, type Prisma } from '@weir/database';
import { readLimitRules, type LimitRule } from '@weir/limits';
import { createPatternMatcher } from '@weir/model-catalog';
import { describePeriod, describeUsed, formatAmount } from '../records/limit-fill';
import { findPartitionNames, isApart, type DescribedPartition } from '../records/limit-partitions';
import type { LabelSets } from './bind-attempts';
import { createDates } from './create-dates';
import { createLimitReplay, type Bearer, type Replayed } from './replay-limit';

/** So many attempts are looked at, and for so long; what is left out is said. */
const ATTEMPTS_MAX = 1_000_000;
const TAKES_AT_MOST_MS = 20_000;

export type PreviewRange = {
  readonly organizationId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly timeZone: string;
  readonly attemptsMax?: number;
};

/** What a limit would have done had it been made at the start of the range. */
export async function previewLimit(database: OrganizationDatabases, document: LimitDocument, range: PreviewRange): Promise<object> {
  const { organizationId, startMs, endMs, timeZone } = range;
  const own = database.asOrganization(organizationId);
  const dates = createDates(timeZone);
  const labelSets = await own.transact((tx) => readLabelSets(tx, organizationId, document));
  const replay = createLimitReplay(readRule(document, range), { labelSets, dateOf: dates.dateOf });
  const wantsMore = createBound(range.attemptsMax ?? ATTEMPTS_MAX);
  let latestMs = startMs;
  const isWhole = await scanAdmitted(own, range, (attempts) => {
    replay.take(attempts);
    latestMs = attempts.at(-1)?.admittedAtMs ?? latestMs;
    return wantsMore(attempts.length);
  });
  const replayed = replay.end();
  const reachedMs = isWhole ? endMs : latestMs;
  const bearers = [...replayed.examples, ...replayed.fullest].map(({ partition }) => partition);
  const partitions = isApart(document) ? [...new Set(bearers)] : [];
  const names = await own.transact((tx) => findPartitionNames(tx, { organizationId, document, partitions }));
  return {
    ...describePeriodOf(startMs, reachedMs),
    ...describeCounts(replayed),
    is_partial: !isWhole,
    days: dates.list(startMs, reachedMs).map((date) => ({ date, ...describeDay(replayed.days.get(date)) })),
    ...describeFound(replayed, document, names),
  };
}

/** By the clock of this process: how long a look takes, not when it is. */
function createBound(attemptsMax: number): (count: number) => boolean {
  const startedAtMs = performance.now();
  let attempts = 0;
  return (count) => {
    attempts += count;
    return attempts < attemptsMax && performance.now() - startedAtMs < TAKES_AT_MOST_MS;
  };
}

function readRule(document: LimitDocument, { startMs, timeZone }: PreviewRange): LimitRule {
  const rule = { id: randomUUID(), name: '', version: 0, document, createdAtMs: startMs };
  const [read] = readLimitRules([rule], { createMatcher: createPatternMatcher, timeZone });
  return read as LimitRule;
}

/** Only limits of labels look at them. */
async function readLabelSets(tx: Prisma.TransactionClient, organizationId: string, { label }: LimitDocument): Promise<LabelSets> {
  if (label === undefined) return new Map();
  const rows = await tx.$queryRaw<readonly { id: string; value: string }[]>`
    SELECT id::text, labels ->> ${label} AS value FROM label_set
    WHERE organization_id = ${organizationId}::uuid AND labels ->> ${label} IS NOT NULL`;
  return new Map(rows.map(({ id, value }) => [id, { [label]: value }]));
}

function describePeriodOf(startMs: number, endMs: number): { start: string; end: string } {
  return { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}

function describeCounts({ requests, bound, refused }: Replayed): object {
  return { requests, bound, would_have_refused: refused, share: bound === 0 ? null : Math.round((refused / bound) * 1e6) / 1e6 };
}

function describeDay(day: { readonly bound: number; readonly refused: number } | undefined): { bound: number; would_have_refused: number } {
  return { bound: day?.bound ?? 0, would_have_refused: day?.refused ?? 0 };
}

function describeFound({ examples, fullest }: Replayed, document: LimitDocument, names: ReadonlyMap<string, string>): object {
  const { scope, measure } = document;
  const describeBearer = ({ partition, endUserId }: Bearer): DescribedPartition | null =>
    isApart(document) ? { scope, id: partition, name: endUserId ?? names.get(partition) ?? null } : null;
  return {
    examples: examples.map(({ requestId, admittedAtMs, used, needed, ...bearer }) => ({
      request_id: requestId,
      admitted_at: new Date(admittedAtMs).toISOString(),
      of: describeBearer(bearer),
      used: formatAmount(measure, used),
      needed: formatAmount(measure, needed),
    })),
    fullest: fullest.map(({ used, startMs, endMs, ...bearer }) => ({
      of: describeBearer(bearer),
      ...describeUsed(document, used),
      ...describePeriod(startMs === null || endMs === null ? null : { startMs, endMs }),
    })),
  };
}
