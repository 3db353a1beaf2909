/** Money an organization was given, as far as it is not used up. */
export type CreditState = {
  /** What is left of all of them. */
  readonly balancePico: bigint;
  /** The single ones that are not used up; the one that ends first is first. */
  readonly credits: readonly CreditLot[];
};

export type CreditLot = {
  readonly amountPico: bigint;
  readonly remainingPico: bigint;
  /** UTC epoch milliseconds; null never expires. */
  readonly expiresAtMs: number | null;
};

export type OrganizationFinance = {
  /** What was paid in and not used, without gifts and promotions; below zero when usage went beyond it. */
  readonly cashPico: bigint;
  /** From when on usage counts in the balance, the moment of the first credit; null where all usage does. UTC epoch milliseconds. */
  readonly countedFromMs: number | null;
  /** Usage from before, which it does not count. */
  readonly uncountedPico: bigint;
  readonly gift: CreditState;
  readonly promotion: CreditState;
  /** Null for an organization that never asked for it. */
  readonly autoTopUp: AutoTopUpState | null;
};

export type AutoTopUpState = {
  readonly isEnabled: boolean;
  readonly thresholdPico: bigint;
  readonly amountPico: bigint;
  readonly monthlyCapPico: bigint;
};

/** Where an organization's own pages are read from; throws when the store cannot be reached. */
export type OrganizationDirectory = {
  /** Returns undefined for an organization that does not exist. */
  findName(organizationId: string): Promise<string | undefined>;
  readFinance(organizationId: string): Promise<OrganizationFinance>;
};
