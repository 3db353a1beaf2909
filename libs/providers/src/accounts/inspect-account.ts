import type { AccountInspection } from '@weir/contracts';
import type { AccountFields, ProviderAccounts } from './create-provider-accounts';

/** What the management interface must know of an account before it stores it. `secret` is present only when the fields are valid. */
export function inspectAccount(
  accounts: Pick<ProviderAccounts, 'findProblem' | 'secretOf'>,
  providerId: string,
  fields: AccountFields,
): AccountInspection {
  const problem = accounts.findProblem(providerId, fields);
  return problem === undefined ? { secret: accounts.secretOf(providerId, fields) } : { problem, secret: '' };
}
