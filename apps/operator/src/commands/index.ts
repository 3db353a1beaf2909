import type { Command } from './command';
import { addBalance } from './add-balance';
import { compareProviderInvoice } from './compare-invoice';
import { createKey } from './create-key';
import { createOrganization } from './create-organization';
import { dismissLetter } from './dismiss-letter';
import { importCatalog } from './import-catalog';
import { listLetters } from './list-letters';
import { listPeppers } from './list-peppers';
import { listWriters } from './list-writers';
import { migrate } from './migrate';
import { rebuildUsage } from './rebuild-usage';
import { recoverKey } from './recover-key';
import { reencryptSecrets } from './reencrypt-secrets';
import { replayUsage } from './replay-usage';
import { shareOrganization } from './share-organization';
import { verifyAudit } from './verify-audit';
import { verifyLedger } from './verify-ledger';
import { withdrawPepper } from './withdraw-pepper';

/** Every command, in the order of the help text. */
export const COMMANDS: readonly Command[] = [
  createOrganization,
  shareOrganization,
  createKey,
  recoverKey,
  addBalance,
  importCatalog,
  reencryptSecrets,
  listPeppers,
  withdrawPepper,
  listLetters,
  replayUsage,
  dismissLetter,
  rebuildUsage,
  listWriters,
  compareProviderInvoice,
  verifyAudit,
  verifyLedger,
  migrate,
];
