import type { AccountInspection, AccountProbe } from '@weir/contracts';

/** Fields of an account by name; a provider that wants one key only has `api_key`. */
export type AccountFields = Readonly<Record<string, string>>;

/** What management must know of providers, which it never calls itself. */
export type ProviderAccounts = {
  /** What keeps these fields from being an account of the provider, if anything does. Asks no provider. */
  inspect(providerId: string, fields: AccountFields): Promise<AccountInspection>;
  /** Asks the provider whether it accepts the account; resolves whatever the provider replies. */
  probe(providerId: string, fields: AccountFields): Promise<AccountProbe>;
};
