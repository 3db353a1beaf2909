import type { AccountInspection } from '@weir/contracts';
import type { AccountFields, ProviderAccounts } from './create-provider-accounts';

/** What whoever keeps accounts must know of one. A secret is told only of what is an account. */
export function inspectAccount(
  accounts: Pick<ProviderAccounts, 'findProblem' | 'secretOf'>,
  providerId: string,
  fields: AccountFields,
): AccountInspection {
  const problem = accounts.findProblem(providerId, fields);
  return problem === undefined ? { secret: accounts.secretOf(providerId, fields) } : { problem, secret: '' };
}
