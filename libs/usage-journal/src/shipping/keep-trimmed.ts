import type { JournalLog } from '../ports/journal-log';
import type { Watermarks } from '../ports/watermarks';
import type { UsageJournal } from '../usage-journal';

type KeepTrimmedOptions = {
  readonly journal: UsageJournal;
  readonly watermarks: Watermarks;
  /** How often the watermark is read. */
  readonly pollMs?: number;
  readonly log?: JournalLog;
};

/** Trims the journal of this process by what another one ships and counts of it. */
export type JournalTrimming = {
  /** Everything below is known to be aggregated. */
  readonly aggregatedBelow: number;
  close(): Promise<void>;
};

const POLL_MS = 1_000;

export function keepTrimmed({ journal, watermarks, pollMs = POLL_MS, log }: KeepTrimmedOptions): JournalTrimming {
  const { writerId, tail } = journal;
  let watermark = -1;
  let isClosed = false;
  const poll = async (): Promise<void> => {
    try {
      const read = await watermarks.read(writerId);
      if (read === undefined || Number(read) <= watermark || isClosed) return;
      watermark = Number(read);
      tail.skipTo(watermark);
      await tail.trim(watermark);
    } catch (error) {
      log?.warn({ error, writerId }, 'the usage journal could not be trimmed; trying again');
    }
  };
  let polling = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    if (isClosed) return;
    timer = setTimeout(() => {
      polling = poll().finally(schedule);
    }, pollMs).unref();
  };
  schedule();
  return {
    get aggregatedBelow() {
      return Math.max(watermark + 1, tail.trimmedBelow);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
