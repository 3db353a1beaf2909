import type { Modality, PermissionLevel, RequestPriorityName } from '@weir/contracts';

/** Model patterns an access list allows, per modality. */
export type ModelPatterns = Readonly<Record<Modality, readonly string[]>>;

export type OrganizationSettings = {
  readonly budgetMode: 'global' | 'group';
  readonly dataResidency: 'eu' | 'us' | 'ap' | null;
  readonly isZeroDataRetention: boolean;
  /** False: models may be used only if their provider promises not to train on what it is sent. */
  readonly isTrainingAllowed: boolean;
  readonly tier: 'free' | 'paying';
  /** What happens to limited requests while the counters of limits cannot be reached. */
  readonly limitsUnavailable: 'lease' | 'deny' | 'allow';
  /** A request whose reply would not fit what is left of a limit gets a lower limit of output tokens instead of a refusal. */
  readonly isClampedToLimit: boolean;
  /** Attempts that failed after their provider reported usage are charged too. Absent means no. */
  readonly chargesFailedAttempts?: boolean;
  /** While keys cannot be checked, those that are known go on for a minute instead of a quarter of an hour. Absent means no. */
  readonly isStrict?: boolean;
  /** For how many days contents of requests are kept, sealed. Absent means never, as null. */
  readonly keepContentsDays?: number | null;
  /** Its weight among organizations that wait for a provider. Absent means 1. */
  readonly share?: number;
  /** IANA name of the time zone whose calendar days, weeks and months of limits follow. Absent means UTC. */
  readonly timeZone?: string;
  /** All money ever given, less what expired or was paid back; null for an organization that was never given any. */
  readonly creditPico: bigint | null;
  /** Null: every model is approved. */
  readonly approvedModels: ModelPatterns | null;
};

/** Limits that come with the group of a key, in pico-dollars per calendar month; null is unlimited. */
export type GroupLimits = {
  /** Global mode: of each member. */
  readonly monthlyLimitPico: bigint | null;
  /** Group mode: of the group as a whole. */
  readonly monthlyBudgetPico: bigint | null;
  /** Group mode: of each member who has no budget of their own. */
  readonly budgetPerUserPico: bigint | null;
  /** The member's own; 0 is unlimited whatever the group says. */
  readonly memberLimitPico: bigint | null;
  readonly memberBudgetPico: bigint | null;
};

/** Value by label. */
export type KeyLabels = Readonly<Record<string, string>>;

/** Everything admission needs to know about a key, read in one go and cached. */
export type KeyRecord = {
  readonly apiKeyId: string;
  readonly organizationId: string;
  readonly name: string;
  /** The identity-provider user who owns the key, when a person does. */
  readonly userId: string | null;
  /** It acts for an administrator of the organization, or belongs to no person; false: its management permission reaches as far as its owner's roles. */
  readonly isAdministrator: boolean;
  readonly groupId: string | null;
  readonly status: 'active' | 'revoked';
  /** Epoch milliseconds; null never expires. */
  readonly expiresAtMs: number | null;
  readonly permissions: {
    readonly manage: PermissionLevel;
    readonly completions: PermissionLevel;
    /** Reading what the organization keeps of requests. Absent means none. */
    readonly contents?: 'none' | 'read';
  };
  /** Pico-dollars per calendar month; null is unlimited. */
  readonly monthlyLimitPico: bigint | null;
  /** Requests per minute of the member the key belongs to, over all of their keys; null is unlimited. */
  readonly memberRateLimitRpm: number | null;
  /** In which class its requests wait for providers, and the most that they may ask for. Absent means normal. */
  readonly priority?: RequestPriorityName;
  /** Its weight among the keys of its organization that wait. Absent means 1. */
  readonly share?: number;
  /** Null: the key belongs to no group. */
  readonly groupLimits: GroupLimits | null;
  readonly apiKeyLabelSetId: string | null;
  readonly groupLabelSetId: string | null;
  /** What the label sets say, for limits of label values. Absent means none. */
  readonly apiKeyLabels?: KeyLabels;
  readonly groupLabels?: KeyLabels;
  /** Null: the key has no list of its own. */
  readonly keyAccessList: ModelPatterns | null;
  readonly groupAccessList: ModelPatterns | null;
  readonly organization: OrganizationSettings;
};

/** A caller whose key was found usable for this request. Only `authenticate-key` makes one. */
export type Principal = { readonly key: KeyRecord };
