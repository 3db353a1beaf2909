import { isSecretField } from '@weir/contracts';
import { NATIVE_PROVIDERS } from '../native';
import { createCompatibleRows } from '../directory/compatible-rows';
import { fieldsOf, type AccountSpec } from './account-spec.schema';
import { AccountsUnreadable, readAccountSpecs } from './read-account-specs';

/**
 * Accounts as a document under review lists them: as in the file, but with secrets by reference alone. `ownProviders` are rows
 * that an installation has beside those of the release. Throws `AccountsUnreadable`.
 */
export function readAccountDocument(accounts: unknown, place: string, ownProviders: readonly unknown[]): AccountSpec[] {
  const rows = createCompatibleRows();
  rows.take(ownProviders);
  const known = [...rows.list().map(({ id }) => id), ...NATIVE_PROVIDERS.map(({ id }) => id)];
  const specs = readAccountSpecs(JSON.stringify({ accounts }), place, known);
  const problems = specs.flatMap((spec, index) =>
    Object.entries(fieldsOf(spec))
      .filter(([field, value]) => typeof value === 'string' && isSecretField(field))
      .map(([field]) => `accounts[${index}] ("${spec.id}"): ${field}: a secret does not stand in the document: say where it is kept`),
  );
  if (problems.length > 0) throw new AccountsUnreadable(place, problems);
  return specs;
}
