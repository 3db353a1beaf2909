// This library keeps what must last in Postgres: schema, migrations, repositories.
export { createChangeLog, recordChange } from './changes/create-change-log';
export { appendCatalogVersion, type NewCatalogVersion } from './catalog/append-catalog-version';
export {
  acceptCatalogProposal,
  addCatalogProposal,
  dismissCatalogProposal,
  findCatalogProposal,
  listCatalogProposals,
  type CatalogProposalRow,
} from './catalog/catalog-proposals';
export { createCatalogSource } from './catalog/catalog-source';
export { openStoredCatalog, type StoredCatalog } from './catalog/open-stored-catalog';
export { listCatalogVersions } from './catalog/list-catalog-versions';
export { createDataKeyStore } from './secrets/create-data-key-store';
export { createDatabase, type OrganizationDatabases, type Database } from './connection/create-database';
export { createDatabaseCheck } from './connection/create-database-check';
export { waitForDatabase, waitForPostgres } from './connection/wait-for-database';
export {
  createIdempotencyRecords,
  markClaimApplied,
  type IdempotentRequest,
  type IdempotencyClaim,
  type ClaimOutcome,
  type IdempotencyRecords,
} from './requests/create-idempotency-records';
export type { RequestContents } from './contents/encode-contents';
export { findContents, type KeptContents } from './contents/find-contents';
export { keepContents, type NewContents } from './contents/keep-contents';
export { purgeContents } from './contents/purge-contents';
export { findChangedRates, loadExchangeRates, readExchangeRates, type ExchangeRateRow } from './finance/exchange-rates';
export { countMissingUsage, readClosedLines, writeClosedLines } from './finance/month-closes';
export { readChargeLines } from './finance/read-charge-lines';
export { createCounterOwnerStore, freeCounters } from './limits/create-counter-owner-store';
export { createHoldTruth } from './limits/create-hold-truth';
export { createKeyDirectory } from './keys/create-key-directory';
export { createOrganizationDirectory } from './organizations/create-organization-directory';
export { createOrganizationRules } from './organizations/create-organization-rules';
export { createSpendReader } from './limits/create-spend-reader';
export { compareLimitUsage } from './limits/compare-limit-usage';
export { verifyLimitUsage } from './limits/verify-limit-usage';
export { readLimitPressure, type LimitPressure } from './limits/read-limit-pressure';
export { readLimitFill, type AskedLimit, type LimitFill } from './limits/read-limit-fill';
export { scanAdmitted, type AdmittedAttempt } from './limits/scan-admitted';
export { type DatabaseLog, SILENT_LOG } from './postgres/database-log';
export { advanceAuditExport, readAuditMark, readAuditRows, type AuditExportRow, type AuditMark } from './exports/audit-export';
export { claimExport, releaseExport, type ExportStream } from './exports/export-cursors';
export { noteUsageExported, readUsageExport, type UsageExportRow } from './exports/usage-export';
export { createFileExportStore, type FileExportStore } from './usage-files/create-file-export-store';
export { LostLease, type ClaimedExport } from './usage-files/file-export-row';
export { countWaitingExports, findDueExports, forgetExports, type ExportScope } from './usage-files/find-due-exports';
export { claimFirings, finishFiring, type ClaimedFiring, type FiringResult } from './alerts/alert-deliveries';
export { fireAlerts } from './alerts/fire-alerts';
export { fireAnomalyAlerts } from './alerts/fire-anomaly-alerts';
export { changeOwnAccount } from './organizations/change-own-account';
export { ensureUserAccount } from './organizations/ensure-user-account';
export { createFreeSlotCounter } from './free-models/create-free-slot-counter';
export { expireCredits } from './ledger/expire-credits';
export { postCredit, type CreditKind, type Credit, type PostedCredit } from './ledger/post-credit';
export { readBalance, readShownBalance } from './ledger/read-balance';
export { readBalanceHistory } from './ledger/read-balance-history';
export { verifyLedger } from './ledger/verify-ledger';
export { readMissingGuards } from './logs/read-missing-guards';
export { isDatabaseUnreachable } from './postgres/is-database-unreachable';
export { isUnstorableText } from './postgres/is-unstorable-text';
export { migrateDatabase } from './connection/migrate-database';
export { readPepperUse, forgetFormerHashes, type PepperUse } from './keys/pepper-use';
export { reencryptSecrets } from './secrets/reencrypt-secrets';
export { seedOrganization, type SeededOrganization } from './organizations/seed-organization';
export type { OrganizationDatabase } from './tenancy/organization-database';
export { TENANT_PRIVILEGES, TENANT_ROLE } from './tenancy/tenant-role';
export { createQueryQueue } from './usage/queries/create-query-queue';
export { runTopUps } from './top-ups/run-top-ups';
export { createGenerationReader } from './usage/create-generation-reader';
export { createUsageStore } from './usage/create-usage-store';
export { createUsageUpkeep } from './usage/create-usage-upkeep';
export { dismissDeadLetter } from './usage/dead-letters/dismiss-dead-letter';
export { listDeadLetters } from './usage/dead-letters/list-dead-letters';
export { replayDeadLetters } from './usage/dead-letters/replay-dead-letters';
export { createUsageFeed } from './usage/feed/create-usage-feed';
export { createUsageReference } from './usage/feed/create-usage-reference';
export { openDayEvents, openDayLines, type DayRows } from './usage/export/open-day-files';
export { openUsageExport, type UsageExport } from './usage/export/open-usage-export';
export { readSettledDay, type SettledDay } from './usage/export/read-day';
export { DEFAULT_USAGE_RETENTION } from './usage/partitions/keep-partitions';
export { readProviderDays, readProviderModels } from './usage/reconcile/read-provider-cost';
export { readReconciliation } from './usage/reconcile/read-reconciliation';
export { readWriters } from './usage/reconcile/read-writers';
export type { OrganizationProgress, Rerate } from './usage/rerate/open-rerate';
export type { PriceAgain, RerateCriteria } from './usage/rerate/rerate-ask';
export { rerateUsage, type RerateAsk, type RerateResult } from './usage/rerate/rerate-usage';
export { rebuildHour, rebuildDay, rebuildMonth } from './usage/reconcile/rebuild-usage';
export { Prisma } from './generated/prisma/client';
export { createRefusalStore, type Refusal, type RefusalStore } from './requests/create-refusal-store';
