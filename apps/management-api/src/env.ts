import {
  bootstrapApiKey,
  catalogEnv,
  clickHouseEnv,
  configurationEnv,
  consoleEnv,
  fetchEnv,
  flag,
  httpEnv,
  httpUrl,
  identityEnv,
  oidcEnv,
  pepperEnv,
  postgresEnv,
  protectionEnv,
  redisEnv,
  secretAlertEnv,
  sealingEnv,
  telemetryEnv,
  usageStoreEnv,
} from '@weir/config';
import { z } from 'zod';
import { accountsEnv } from './provider-accounts/open-provider-accounts';

export const managementApiEnv = z.object({
  ...httpEnv(4003).shape,
  ...protectionEnv.shape,
  ...pepperEnv.shape,
  ...postgresEnv.shape,
  ...redisEnv.shape,
  ...sealingEnv.shape,
  ...fetchEnv.shape,
  ...telemetryEnv.shape,
  ...catalogEnv.shape,
  ...identityEnv.shape,
  ...accountsEnv.shape,
  ...secretAlertEnv.shape,
  ...configurationEnv.shape,
  ...consoleEnv.shape,
  ...oidcEnv.shape,
  ...clickHouseEnv.shape,
  ...usageStoreEnv.shape,
  /** Whether the usage-aggregator has a mail server: alerts by e-mail are refused where it has none. */
  ALERT_EMAIL: flag.default(false),
  /** Where the console finds the gateway: the address of the edge. */
  CONSOLE_GATEWAY_URL: httpUrl.optional(),
  /** Brings the schema up to date at the start; false where that is a step of its own (`migrate.js`). */
  MIGRATE_AT_START: flag.default(true),
  /** The value of the first administrator key, for a database that has no organization yet. */
  BOOTSTRAP_API_KEY: bootstrapApiKey.optional(),
});

/** Of `migrate.js`, which brings the schema up to date and ends. */
export const migrateEnv = z.object({ ...postgresEnv.shape, ...telemetryEnv.shape });

/** A variable that a mounted configuration names. */
export function readVariable(name: string): string | undefined {
  return process.env[name];
}
