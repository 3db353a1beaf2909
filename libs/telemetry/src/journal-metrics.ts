import { Counter, Gauge, type Registry } from 'prom-client';

/** What a journal says of itself when it is asked. */
export type JournalReading = {
  readonly bytes: number;
  readonly bytesMax: number;
  readonly openAttempts: number;
  /** Ends that neither a full disk nor the reserve has taken: the last bytes of their replies wait for it. */
  readonly unwritten: number;
  readonly oldestSegmentMs: number;
  readonly lastSyncMs: number;
  readonly unpublished: number;
  readonly unaggregated: number;
  readonly watermarkLagMs: number;
  /** Journals that dead processes left and that are not wholly aggregated yet. */
  readonly orphans: number;
};

const SECOND_MS = 1000;

/** Gauges of the usage journal, read whenever metrics are collected. */
export function registerJournalMetrics(registry: Registry, read: () => JournalReading): void {
  const add = (name: string, help: string, pick: (reading: JournalReading) => number): void => {
    new Gauge({
      name: `weir_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(pick(read()));
      },
    });
  };
  add('journal_bytes', 'Size of the usage journal', ({ bytes }) => bytes);
  add('journal_bytes_max', 'Size at 95 % of which billable requests are refused', ({ bytesMax }) => bytesMax);
  add('journal_open_attempts', 'Attempts begun and not ended', ({ openAttempts }) => openAttempts);
  add('journal_unwritten_ends', 'Ends of attempts that a full disk has not taken: their replies wait', ({ unwritten }) => unwritten);
  add('journal_oldest_seconds', 'Age of the oldest segment that is kept', ({ oldestSegmentMs }) => oldestSegmentMs / SECOND_MS);
  add('journal_sync_seconds', 'How long the last sync to disk took', ({ lastSyncMs }) => lastSyncMs / SECOND_MS);
  add('journal_unpublished_events', 'Usage events that the bus has not taken yet', ({ unpublished }) => unpublished);
  add('journal_unaggregated_events', 'Usage events that are not known to be in the rollups', ({ unaggregated }) => unaggregated);
  add(
    'usage_watermark_lag_seconds',
    'Age of the oldest usage event that is not known to be in the rollups',
    ({ watermarkLagMs }) => watermarkLagMs / SECOND_MS,
  );
  add('journal_orphans', 'Journals of dead processes that are not wholly aggregated yet', ({ orphans }) => orphans);
}

/** Counts what a damaged journal could not give back: each sequence is usage that may be lost. */
export function createGapCounter(registry: Registry): (sequences: number) => void {
  const gaps = new Counter({
    name: 'weir_journal_gaps_total',
    help: 'Sequence numbers that a damaged journal could not give back: each is usage that may be lost',
    registers: [registry],
  });
  return (sequences) => gaps.inc(sequences);
}

/** Counts how often a journal's files were found removed, cut or older than what was sent from them. */
export function createHarmCounter(registry: Registry): () => void {
  const harm = new Counter({
    name: 'weir_journal_harm_total',
    help: 'Times that files of a usage journal were found removed, cut or older than what was sent from them: usage may be lost',
    registers: [registry],
  });
  return () => harm.inc();
}
