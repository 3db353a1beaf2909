import { readUsageFileSettings } from '@weir/config';
import type { Database } from '@weir/database';
import type { Logger, MetricsRegistry } from '@weir/telemetry';
import { startUsageFiles } from '@weir/usage-aggregator';
import type { StandaloneEnv } from './env';

type UsageFileSources = { readonly env: StandaloneEnv; readonly data: { readonly database: Database }; readonly log: Logger };

/** Starts the export of usage as files, where the settings name a bucket. */
export function openUsageFiles({ env, data, log }: UsageFileSources, registry: MetricsRegistry): ReturnType<typeof startUsageFiles> {
  const settings = readUsageFileSettings(env);
  return startUsageFiles({ settings, eventDays: env.USAGE_EVENT_RETENTION_DAYS, database: data.database, registry, log });
}
