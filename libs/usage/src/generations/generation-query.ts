import type { UsageEvent, UsageStatus } from '@weir/contracts';

/** Where a request stands in the list: by its admission, the id deciding between requests of the same millisecond. */
export type GenerationPosition = { readonly admittedAtMs: number; readonly requestId: string };

/** What had been counted at a moment: what came to be counted after it can be found by it, however early it was admitted. */
export type CountedMark = {
  readonly atMs: number;
  /** The store's own mark. */
  readonly mark: bigint;
};

/** Fields of the event that ended a request, which a filter can name values of; `Unknown` is usage without a value. */
export const GENERATION_FIELDS = {
  model: { of: 'model_used', kind: 'text' },
  model_requested: { of: 'model_requested', kind: 'text' },
  provider: { of: 'provider_used', kind: 'text' },
  api_key_id: { of: 'api_key_id', kind: 'id' },
  group_id: { of: 'group_id', kind: 'id' },
  user_id: { of: 'user_id', kind: 'id' },
  end_user: { of: 'end_user_id', kind: 'text' },
  endpoint: { of: 'endpoint', kind: 'text' },
  modality: { of: 'modality', kind: 'text' },
} as const satisfies Readonly<Record<string, { readonly of: keyof UsageEvent; readonly kind: 'text' | 'id' }>>;
export type GenerationField = keyof typeof GENERATION_FIELDS;

type NamedValues = { readonly name: string; readonly values: readonly string[] };

/** What requests must have; absent: anything. */
export type GenerationFilters = {
  readonly fields: readonly { readonly field: GenerationField; readonly values: readonly string[] }[];
  readonly statuses?: readonly UsageStatus[];
  /** Of the key or of its group. */
  readonly labels: readonly NamedValues[];
  readonly extra: readonly NamedValues[];
  /** Inclusive, of all attempts together. */
  readonly minCostPico?: bigint;
  readonly maxCostPico?: bigint;
  /** Inclusive, from admission to end. */
  readonly minMs?: number;
  readonly maxMs?: number;
  readonly idPrefix?: string;
};

/** Whose requests are asked for: decided by the key, never by the caller's parameters. */
export type GenerationScope = {
  readonly organizationId: string;
  /** Null: everybody's. Otherwise what this key or this member asked. */
  readonly own: { readonly apiKeyId: string; readonly userId: string | null } | null;
};

export type GenerationQuery = GenerationScope & {
  readonly limit: number;
  /** Half-open, by admission. */
  readonly startMs?: number;
  readonly endMs?: number;
  /** Only what stands after this place of the list. */
  readonly before?: GenerationPosition;
  /** Only what came to be counted after this. */
  readonly since?: CountedMark;
  readonly filters: GenerationFilters;
};

/** A request as one line. */
export type GenerationLine = {
  /** The one that ended it. */
  readonly event: UsageEvent;
  /** By which it stands in the list; other than the event's where that claims to be from the future. */
  readonly admittedAtMs: number;
  readonly attempts: number;
  /** Of all attempts. */
  readonly costPico: bigint;
  readonly billedPico: bigint;
  /** Null where the key is gone. */
  readonly apiKeyName: string | null;
};

export type GenerationPage = {
  readonly lines: readonly GenerationLine[];
  /** Where the next page begins; null where nothing is left. */
  readonly next: GenerationPosition | null;
  /** As many events were looked at as one page may cost: there may be fewer lines than asked for, and more after them. */
  readonly isPartial: boolean;
  /** What had been counted when this page was read. */
  readonly counted: CountedMark;
};

/** Names of what an event has the ids of, as they are now; null where there is none, or none any more. */
export type GenerationNames = {
  readonly apiKey: string | null;
  readonly memberEmail: string | null;
  readonly group: string | null;
  /** As they were when the request was admitted. */
  readonly keyLabels: Readonly<Record<string, string>>;
  readonly groupLabels: Readonly<Record<string, string>>;
};
