import {
  blobStoreEnv,
  bodyLimitEnv,
  bootstrapApiKey,
  brokerList,
  kafkaSecurityEnv,
  catalogEnv,
  clickHouseEnv,
  clickHouseFeedEnv,
  configurationEnv,
  consoleEnv,
  counterOwnerEnv,
  databaseUrl,
  edgeSettings,
  embeddedEnv,
  fetchEnv,
  holdCheckEnv,
  httpEnv,
  identityEnv,
  integer,
  journalEnv,
  logExportEnv,
  oidcEnv,
  paymentEnv,
  pepperEnv,
  protectionEnv,
  redisUrl,
  sealingKeys,
  secretAlertEnv,
  smtpEnv,
  telemetryEnv,
  uploadEnv,
  upstreamSettings,
  usageFilesEnv,
  usageEnvelopeEnv,
  usageRetentionEnv,
  usageStoreEnv,
} from '@weir/config';
import { z } from 'zod';

export const standaloneEnv = z.object({
  ...httpEnv(4000).shape,
  ...protectionEnv.shape,
  ...bodyLimitEnv.shape,
  ...uploadEnv.shape,
  /** Where files are stored while their requests run; inside DATA_DIR when this is not given. */
  UPLOAD_DIR: z.string().min(1).optional(),
  ...blobStoreEnv.shape,
  ...edgeSettings.shape,
  ...upstreamSettings.shape,
  ...fetchEnv.shape,
  ...paymentEnv.shape,
  ...smtpEnv.shape,
  ...telemetryEnv.shape,
  ...logExportEnv.shape,
  ...catalogEnv.shape,
  ...identityEnv.shape,
  ...secretAlertEnv.shape,
  ...configurationEnv.shape,
  ...consoleEnv.shape,
  ...oidcEnv.shape,
  /** Everything standalone keeps: Postgres, journal, secrets. */
  DATA_DIR: z.string().min(1).default('.weir'),
  /** The first administrator key's value; one is made and printed once when this is not given. */
  BOOTSTRAP_API_KEY: bootstrapApiKey.optional(),
  /** What keys are stored under, and the one before; one is made and kept in DATA_DIR when none is given. */
  KEY_PEPPER: pepperEnv.shape.KEY_PEPPER.optional(),
  KEY_PEPPER_PREVIOUS: pepperEnv.shape.KEY_PEPPER_PREVIOUS,
  /** Seals provider credentials from now on; one is made and kept in DATA_DIR when this is not given. */
  SEALING_KEY: sealingKeys.optional(),
  ...embeddedEnv.shape,
  /** A Postgres of your own instead of the embedded one. */
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOL_MAX: integer(1, 500).default(10),
  /** A Redis of your own; without it, what processes would share stays in memory. */
  REDIS_URL: redisUrl.optional(),
  /** Kafka brokers of your own; without them, the aggregator takes usage events straight from the journal. */
  KAFKA_BROKERS: brokerList.optional(),
  ...kafkaSecurityEnv.shape,
  ...usageEnvelopeEnv.shape,
  /**
   * Gateways beside the process that keeps the books; `1` is one process that does everything, `auto` as many as there are
   * cores to spare.
   */
  PROCESSES: z.union([z.literal('auto'), integer(1, 64)], 'must be auto or a whole number from 1 to 64').default('auto'),
  /** Set by npm: `start` when the gateway was started with `npm start`, `npx` with `npx`. */
  npm_lifecycle_event: z.string().optional(),
  ...journalEnv.omit({ JOURNAL_DIR: true }).shape,
  ...holdCheckEnv.shape,
  ...counterOwnerEnv.shape,
  ...usageRetentionEnv.shape,
  ...clickHouseEnv.shape,
  ...clickHouseFeedEnv.shape,
  ...usageStoreEnv.shape,
  ...usageFilesEnv.shape,
});
export type StandaloneEnv = z.infer<typeof standaloneEnv>;
