import type { Modality, PermissionLevel } from '@weir/contracts';

/** Model patterns an access list allows, per modality. */
export type ModelPatterns = Readonly<Record<Modality, readonly string[]>>;

export type OrganizationSettings = {
  readonly budgetMode: 'global' | 'group';
  readonly dataResidency: 'eu' | 'us' | 'ap' | null;
  readonly isZeroDataRetention: boolean;
  readonly tier: 'free' | 'paying';
  /** Null: every model is approved. */
  readonly approvedModels: ModelPatterns | null;
};

/** Everything admission needs to know about a key, read in one go and cached. */
export type KeyRecord = {
  readonly apiKeyId: string;
  readonly organizationId: string;
  readonly name: string;
  /** The identity-provider user who owns the key, when a person does. */
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly status: 'active' | 'revoked';
  /** Epoch milliseconds; null never expires. */
  readonly expiresAtMs: number | null;
  readonly permissions: { readonly manage: PermissionLevel; readonly completions: PermissionLevel };
  /** Pico-dollars per calendar month; null is unlimited. */
  readonly monthlyLimitPico: bigint | null;
  readonly apiKeyLabelSetId: string | null;
  readonly groupLabelSetId: string | null;
  /** Null: the key has no list of its own. */
  readonly keyAccessList: ModelPatterns | null;
  readonly groupAccessList: ModelPatterns | null;
  readonly organization: OrganizationSettings;
};

/** A caller whose key was found usable for this request. Only `authenticate-key` makes one. */
export type Principal = { readonly key: KeyRecord };
