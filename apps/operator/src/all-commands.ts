import type { Command } from './commands/command';
import { addBalance } from './commands/add-balance';
import { applyCatalog, diffCatalog } from './commands/catalog/apply-catalog';
import { importCatalog } from './commands/catalog/import-catalog';
import { listVersions } from './commands/catalog/list-versions';
import { rollbackCatalog } from './commands/catalog/rollback-catalog';
import { acceptProposal, dismissProposal, listProposals } from './commands/catalog/settle-proposal';
import { showCatalog } from './commands/catalog/show-catalog';
import { syncCatalog } from './commands/catalog/sync-catalog';
import { compareProviderInvoice } from './commands/compare-invoice';
import { applyConfiguration, diffConfiguration } from './commands/configuration/apply-configuration';
import { exportConfiguration } from './commands/configuration/export-configuration';
import { createKey } from './commands/create-key';
import { createOrganization } from './commands/create-organization';
import { dismissLetter } from './commands/dismiss-letter';
import { listLetters } from './commands/list-letters';
import { listPeppers } from './commands/list-peppers';
import { listWriters } from './commands/list-writers';
import { migrate } from './commands/migrate';
import { rebuildUsage } from './commands/rebuild-usage';
import { recoverKey } from './commands/recover-key';
import { reencryptSecrets } from './commands/reencrypt-secrets';
import { replayUsage } from './commands/replay-usage';
import { rerateUsage } from './commands/rerate-usage';
import { setOperator } from './commands/set-operator';
import { shareOrganization } from './commands/share-organization';
import { verifyAudit } from './commands/verify-audit';
import { verifyLedger } from './commands/verify-ledger';
import { verifyLimits } from './commands/verify-limits';
import { releaseCounters } from './commands/release-counters';
import { withdrawPepper } from './commands/withdraw-pepper';

/** Every command, in the order of the help text. */
export const COMMANDS: readonly Command[] = [
  createOrganization,
  shareOrganization,
  setOperator,
  createKey,
  recoverKey,
  addBalance,
  applyConfiguration,
  diffConfiguration,
  exportConfiguration,
  showCatalog,
  diffCatalog,
  applyCatalog,
  listVersions,
  rollbackCatalog,
  importCatalog,
  syncCatalog,
  listProposals,
  acceptProposal,
  dismissProposal,
  reencryptSecrets,
  listPeppers,
  withdrawPepper,
  listLetters,
  replayUsage,
  dismissLetter,
  rebuildUsage,
  rerateUsage,
  listWriters,
  compareProviderInvoice,
  verifyAudit,
  verifyLedger,
  verifyLimits,
  releaseCounters,
  migrate,
];
