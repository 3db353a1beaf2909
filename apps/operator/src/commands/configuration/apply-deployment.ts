import { documentOf, mergeDocuments } from '@weir/model-catalog';
import { putInForce, type Change } from '../catalog/put-in-force';
import type { CommandTools } from '../command';
import { openCatalog } from '../open-catalog';
import type { Documents } from './read-documents';
import { writeAccounts, type AccountsChange } from './write-accounts';

/** What documents change of the whole gateway; absent where none is about it. */
export type DeploymentChange = { readonly catalog?: Change; readonly provider_accounts?: AccountsChange };

type Options = { readonly prune: boolean; readonly isDone: boolean };

/** Shows what documents of the catalogue and of the gateway's accounts change, and puts it in force where that is asked for. */
export async function applyDeployment(
  { catalog: wanted, accounts }: Documents,
  tools: Pick<CommandTools, 'open' | 'accountsFile'>,
  { prune, isDone }: Options,
): Promise<DeploymentChange> {
  if (wanted === undefined && accounts === undefined) return {};
  const deployment = await tools.open();
  const catalog = await openCatalog(deployment);
  const before = documentOf(catalog);
  const after = wanted === undefined ? before : prune ? wanted.changes : mergeDocuments(before, wanted.changes);
  const ask = { wanted: accounts, file: tools.accountsFile(), ownProviders: after.providers, prune };
  // What is wrong with accounts is said before the catalogue is changed.
  if (ask.wanted !== undefined) writeAccounts({ ...ask, wanted: ask.wanted, isDone: false });
  const note = `weir apply: ${wanted?.name ?? ''}`;
  const changed = wanted && (await putInForce(deployment, { catalog, document: after, note, isConfirmed: isDone }));
  return {
    ...(changed === undefined ? {} : { catalog: changed }),
    ...(ask.wanted === undefined ? {} : { provider_accounts: writeAccounts({ ...ask, wanted: ask.wanted, isDone }) }),
  };
}
