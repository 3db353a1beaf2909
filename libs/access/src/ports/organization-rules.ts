/** A rule as it was written, defaults filled in; what the members of a document mean is in the management contracts. */
export type OrganizationRule = {
  /** Stays the same over all versions. */
  readonly id: string;
  readonly name: string;
  /** Usage events name the version that was in force. */
  readonly version: number;
  readonly document: Readonly<Record<string, unknown>>;
  /** Of a limit, which counts from then on; absent of others. UTC epoch milliseconds. */
  readonly createdAtMs?: number;
};

/** An organization's own account at a provider. Opened with the vault of `@weir/sealing`, for this id and version. */
export type SealedCredential = {
  readonly id: string;
  /** As the organization named it. */
  readonly name: string;
  readonly provider: string;
  /** `prefer`: the gateway's own account when this one fails; `only`: never. */
  readonly mode: 'prefer' | 'only';
  readonly version: number;
  readonly dataKeyId: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
};

/** Everything an organization has decided about how its requests are served. Lists are in order of creation. */
export type OrganizationRules = {
  readonly policies: readonly OrganizationRule[];
  readonly aliases: readonly OrganizationRule[];
  readonly guardrails: readonly OrganizationRule[];
  readonly limits: readonly OrganizationRule[];
  readonly credentials: readonly SealedCredential[];
};

/** Where rules are read; throws when the store cannot be reached. */
export type OrganizationRulesDirectory = {
  findRules(organizationId: string): Promise<OrganizationRules>;
};
