import { DAY_MS, HOUR_MS, periodCeiling, periodStart, type FeedPass, type UsageFeed } from '@weir/usage';
import { buildRollups } from '../build/build-rollups';
import { createVersions, listPeriods, makeStale, versionsBefore, type Versions } from '../build/periods';
import { compareStores, type StoreDifference } from '../compare/compare-stores';
import { forgetBuilds } from '../compare/forget-builds';
import { rewriteDay } from '../compare/rewrite-day';
import type { ClickHouse } from '../connection/create-clickhouse';
import { encodeEvent } from '../schema/encode-event';
import { makeTables } from '../schema/tables';
import { createPassMark, readMark, type PassMark } from '../build/pass-mark';

/** What the operator sees of feeding. */
export type FeedMetrics = {
  /** So many events are in the store; some again, after a failure. */
  fed(count: number): void;
  /** Everything that was counted by the beginning of the pass is in it. */
  complete(): void;
  /** A pass ended early; what was not noted comes again. */
  failed(): void;
  /** Days of organizations on which both stores differ, after the repair; must be 0. */
  differing(days: number): void;
  /** Days that were written once more because they differed. */
  rewritten(days: number): void;
};

type FeederLog = {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
};

type FeederParts = {
  readonly clickhouse: ClickHouse;
  readonly feed: UsageFeed;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: FeederLog;
  readonly metrics: FeedMetrics;
  /** How long ClickHouse keeps usage. */
  readonly retentionDays: number;
  /** False where tables are made by someone else. */
  readonly makesTables: boolean;
};

export type UsageFeeder = {
  /** Brings what was counted since, adds up what is over, and compares both stores once a day. Throws where it could not. */
  feedOnce(): Promise<void>;
};

/** Days that are compared: those that late events may still restate, and some more. */
const COMPARED_DAYS = 38;
/** By then everything of the day before is counted. */
const COMPARE_AFTER_MS = HOUR_MS;
const BUILD_EVERY_MS = 60_000;
/** Passes are a second apart at least: what no pass of these has changed, no question that runs has seen otherwise. */
const SETTLED_PASSES = 60;
/** Older hours are restated by hand only; they are built once a day. */
const BUILT_DAYS = 40;

type Known = { areTablesMade: boolean; builtAtMs: number; rewrittenOnDayMs: number };

/** Feeds ClickHouse behind the commits of Postgres. What fails is done again in the next pass: nothing is lost by it or counted twice. */
export function createUsageFeeder(parts: FeederParts): UsageFeeder {
  const known: Known = { areTablesMade: !parts.makesTables, builtAtMs: -Infinity, rewrittenOnDayMs: -1 };
  return {
    feedOnce: async () => {
      try {
        await makeTablesOnce(parts, known);
        await feedPass(parts, known);
      } catch (error) {
        parts.metrics.failed();
        known.areTablesMade = !parts.makesTables;
        throw error;
      }
    },
  };
}

async function makeTablesOnce({ clickhouse, retentionDays }: FeederParts, known: Known): Promise<void> {
  if (known.areTablesMade) return;
  await makeTables(clickhouse, retentionDays);
  known.areTablesMade = true;
}

async function feedPass(parts: FeederParts, known: Known): Promise<void> {
  const { clickhouse, feed, now, metrics } = parts;
  const todayMs = periodStart('day', now());
  const isCompared = now() >= todayMs + COMPARE_AFTER_MS && (await feed.readComparedDay()) < todayMs;
  const pass = await feed.begin(isCompared ? { daysFromMs: todayMs - COMPARED_DAYS * DAY_MS } : {});
  if (pass === undefined) return metrics.complete();
  if (!(await isContinued(parts, pass))) return metrics.failed();
  const versions = createVersions(pass.run);
  const mark = createPassMark(clickhouse, pass.run);
  for await (const { events, note } of feed.pages()) {
    await mark.write();
    await makeStale(clickhouse, listPeriods(events), versions);
    await clickhouse.insert(
      'usage_event',
      events.map((event) => encodeEvent(event, pass.run)),
    );
    await note();
    metrics.fed(events.length);
  }
  const completeSinceMs = await feed.complete(pass);
  metrics.complete();
  if (!isCompared && now() - known.builtAtMs < BUILD_EVERY_MS) return;
  const sinceMs = isCompared ? 0 : todayMs - BUILT_DAYS * DAY_MS;
  await buildRollups({ clickhouse, versions, mark, feed, nowMs: now(), sinceMs });
  known.builtAtMs = now();
  if (isCompared) await comparePass(parts, known, { pass, versions, mark, todayMs, completeSinceMs });
}

/** False where one of the stores was put back to an earlier state: the next pass begins by what they have now. */
async function isContinued({ clickhouse, feed, log }: FeederParts, { run, writtenRun }: FeedPass): Promise<boolean> {
  const markedRun = await readMark(clickhouse);
  if (markedRun < writtenRun) {
    log.error({ markedRun, writtenRun }, 'ClickHouse has lost usage that was fed to it; all that Postgres keeps is fed again');
    await feed.startOver();
    return false;
  }
  if (markedRun < run) return true;
  log.error({ markedRun, run }, 'Postgres knows less of ClickHouse than that has; feeding goes on behind it');
  await feed.skipRuns(markedRun);
  return false;
}

type Compared = {
  readonly pass: FeedPass;
  readonly versions: Versions;
  readonly mark: PassMark;
  readonly todayMs: number;
  readonly completeSinceMs: number;
};

/** What differs is written once more, and compared again in the next pass; what differs then is for a person to look at. */
async function comparePass(parts: FeederParts, known: Known, { pass, versions, mark, todayMs, completeSinceMs }: Compared): Promise<void> {
  const { clickhouse, feed, now, log, metrics } = parts;
  const fromMs = Math.max(periodCeiling('day', completeSinceMs), todayMs - COMPARED_DAYS * DAY_MS);
  const days = pass.days.filter(({ dayMs }) => dayMs >= fromMs);
  const differences = await compareStores(clickhouse, days, { fromMs, toMs: todayMs });
  const differing = listDays(differences);
  if (differing.length > 0)
    log.error({ count: differences.length, differences: differences.slice(0, 20) }, 'usage in ClickHouse differs from Postgres');
  if (differing.length > 0 && known.rewrittenOnDayMs !== todayMs) {
    for (const day of differing) await rewriteDay({ clickhouse, feed, versions, mark, run: pass.run }, day);
    await buildRollups({ clickhouse, versions, mark, feed, nowMs: now(), sinceMs: 0 });
    metrics.rewritten(differing.length);
    known.rewrittenOnDayMs = todayMs;
    return;
  }
  metrics.differing(differing.length);
  await forgetBuilds(clickhouse, versionsBefore(pass.run - SETTLED_PASSES));
  await feed.noteComparedDay(todayMs);
  log.info({ days: days.length, differing: differing.length }, 'usage in ClickHouse was compared with Postgres');
}

function listDays(differences: readonly StoreDifference[]): Pick<StoreDifference, 'organizationId' | 'dayMs'>[] {
  const days = new Map(differences.map(({ organizationId, dayMs }) => [`${organizationId} ${dayMs}`, { organizationId, dayMs }]));
  return [...days.values()];
}
