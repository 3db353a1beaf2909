/** Fields of an account by name; a provider that wants one key only has `api_key`. */
export type AccountFields = Readonly<Record<string, string>>;

export type AccountProblem = {
  readonly kind: 'unknown-provider' | 'unknown-field' | 'value';
  /** Absent for an unknown provider. */
  readonly field?: string;
  readonly message: string;
};

export type ProviderProbe = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** What management must know of providers, which it never calls itself. */
export type ProviderAccounts = {
  /** What keeps these fields from being an account of the provider; undefined when nothing does. Asks nobody. */
  findProblem(providerId: string, fields: AccountFields): AccountProblem | undefined;
  /** The value whose last characters people recognize the account by; empty where there is none. */
  secretOf(providerId: string, fields: AccountFields): string;
  /** Asks the provider whether it accepts the account; resolves whatever the provider answers. */
  probe(providerId: string, fields: AccountFields): Promise<ProviderProbe>;
};
