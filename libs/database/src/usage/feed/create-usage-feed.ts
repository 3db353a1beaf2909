import { randomUUID } from 'node:crypto';
import { invariant } from '@weir/errors';
import type { UsageFeed } from '@weir/usage';
import type { Pool } from 'pg';
import { readKeptSince } from '../partitions/read-partitions';
import {
  claimFeed,
  completeFeed,
  holdFeed,
  readFeedProgress,
  noteComparedDay,
  readComparedDay,
  releaseFeed,
  skipFeedRuns,
  startFeedOver,
} from './feed-lease';
import { readDayEvents, readPages } from './read-pages';
import { readPass, type PassLeft } from './read-pass';

type UsageFeedOptions = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** Events of a page. */
  readonly eventsAtOnce?: number;
};

/** Usage from before the events that are kept, of which there is none in a gateway that is younger than them. */
const HAS_OLDER = `SELECT 1 FROM usage_day WHERE period_start < to_timestamp($1::double precision / 1000) LIMIT 1`;

/** What was counted in this database, for a columnar store: by (writer, sequence), behind the commit that counts it. */
export function createUsageFeed({ pool, now, eventsAtOnce }: UsageFeedOptions): UsageFeed {
  const parts = { pool, owner: randomUUID(), ...(eventsAtOnce === undefined ? {} : { eventsAtOnce }) };
  const { owner } = parts;
  let left: PassLeft | undefined;
  return {
    begin: async ({ daysFromMs } = {}) => {
      const claimed = await claimFeed(pool, owner);
      if (claimed === undefined) return undefined;
      left = await readPass(pool, daysFromMs === undefined ? undefined : { fromMs: daysFromMs, nowMs: now() });
      return { ...claimed, asOfMs: left.asOfMs, days: left.days };
    },
    pages: () => {
      invariant(left !== undefined, 'a pass was begun');
      return readPages(parts, left);
    },
    complete: async ({ asOfMs }) => completeFeed(pool, { owner, asOfMs, keptSinceMs: await readCompleteSince(pool) }),
    hold: () => holdFeed(pool, owner),
    startOver: () => startFeedOver(pool, owner),
    skipRuns: (run) => skipFeedRuns(pool, owner, run),
    readDay: (organizationId, dayMs) => readDayEvents(parts, { organizationId, dayMs }),
    readComparedDay: () => readComparedDay(pool),
    noteComparedDay: (dayMs) => noteComparedDay(pool, dayMs),
    release: () => releaseFeed(pool, owner),
  };
}

/** Since when events say all that was used; from the beginning where nothing was used before. */
async function readCompleteSince(pool: Pool): Promise<number> {
  const keptSinceMs = await readKeptSince(pool, 'usage_event');
  const progress = await readFeedProgress(pool);
  // Looked for at the first pass, and after one that came so late that events were dropped meanwhile: it reads all days.
  if (!Number.isFinite(keptSinceMs) || Number(progress?.fed_ms ?? 0) >= keptSinceMs) return 0;
  const { rowCount } = await pool.query(HAS_OLDER, [keptSinceMs]);
  return rowCount === 0 ? 0 : keptSinceMs;
}
