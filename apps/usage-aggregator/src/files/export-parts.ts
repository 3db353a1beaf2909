import type { UsageFileSettings } from '@weir/config';
import type { FileExportStore, OrganizationDatabases } from '@weir/database';
import type { UsageFileMetrics } from '@weir/telemetry';
import type { FileStore } from '@weir/usage-files';
import type { AggregatorLog } from '../aggregator-log';

/** What exporting a day needs. */
export type ExportParts = {
  readonly database: OrganizationDatabases;
  readonly exports: FileExportStore;
  readonly files: FileStore;
  readonly settings: Pick<UsageFileSettings, 'prefix' | 'datasets' | 'formats'>;
  /** How long a claim holds that is not renewed. */
  readonly leaseMs: number;
  /** Events are kept for so many days. */
  readonly eventDays: number;
  readonly metrics: UsageFileMetrics;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: AggregatorLog;
  /** Ends what is at work; the next run of whichever process goes on. */
  readonly stopping: AbortSignal;
};
