// Exports usage as files in a process of its own, as it was built, until it is killed: `node export-process.mjs <nowMs>`.
import { createDatabase } from '@weir/database';
import { loadEnv, readUsageFileSettings, usageFilesEnv } from '@weir/config';
import { createMetricsRegistry } from '@weir/telemetry';
import { startUsageFiles } from '@weir/usage-aggregator';

const nowMs = Number(process.argv[2]);
const log = { info: () => undefined, warn: (fields, message) => process.stderr.write(`${message}: ${fields.error}\n`) };
const database = createDatabase({ url: process.env.DATABASE_URL });
const settings = readUsageFileSettings(loadEnv(usageFilesEnv));
process.stdout.write('ready\n');
startUsageFiles({ settings, database, eventDays: 45, registry: createMetricsRegistry(), log, now: () => nowMs });
