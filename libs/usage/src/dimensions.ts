import { USAGE_DIMENSIONS, type UsageDimension, type UsageEvent } from '@weir/contracts';

export type Dimension = UsageDimension & {
  readonly match: 'exact' | 'prefix';
  /** What a row without the value is counted under. */
  readonly missing: string;
};

/** The dimension table, as questions about usage need it. */
export const DIMENSIONS: readonly Dimension[] = USAGE_DIMENSIONS.map((row: UsageDimension) => ({
  ...row,
  match: row.chosen === undefined ? 'exact' : 'prefix',
  missing: 'Unknown',
}));

/**
 * Callers choose these texts, and each distinct one is a series of its own: what is kept apart is bounded, per
 * organization. What goes beyond counts under `OTHER_VALUE`; totals stay exact, and the raw event keeps its text.
 */
export const SERIES_LIMITS = {
  extraFieldsMax: 20,
  extraValueCharsMax: 64,
  /** Of one field on one UTC day. */
  extraValuesPerDayMax: 1_000,
  seriesPerHourMax: 50_000,
  textCharsMax: 256,
} as const;

export const OTHER_VALUE = '__other__';

const FIELD = /^[A-Za-z0-9_.-]{1,64}$/;

export type DimensionRequest = { readonly dimension: Dimension; readonly field: string | null };

/** The names that are taken, for messages: with commas, and `<name>` for what callers choose. */
export function describeDimensions(): string {
  return DIMENSIONS.map(({ match, name }) => (match === 'prefix' ? `${name}<name>` : name)).join(', ');
}

/** Returns undefined for a name that is no dimension. */
export function findDimension(groupBy: string): DimensionRequest | undefined {
  for (const dimension of DIMENSIONS) {
    if (dimension.match === 'exact') {
      if (dimension.name === groupBy) return { dimension, field: null };
    } else if (groupBy.startsWith(dimension.name)) {
      const field = groupBy.slice(dimension.name.length);
      return FIELD.test(field) ? { dimension, field } : undefined;
    }
  }
  return undefined;
}

/** One distinct combination of everything usage can be sliced by. */
export type SeriesDimensions = {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly modelRequested: string;
  readonly modelUsed: string;
  readonly providerUsed: string;
  readonly isByok: boolean;
  readonly originTitle: string | null;
  readonly endUserId: string | null;
  readonly keyLabelSetId: string | null;
  readonly groupLabelSetId: string | null;
  readonly endpoint: string;
  readonly modality: string;
  /** Pairs ordered by name. */
  readonly extra: readonly (readonly [string, string])[];
};

export function seriesDimensions(event: UsageEvent): SeriesDimensions {
  return {
    organizationId: event.org_id,
    apiKeyId: event.api_key_id,
    userId: event.user_id,
    groupId: event.group_id,
    modelRequested: cutText(event.model_requested),
    modelUsed: cutText(event.model_used),
    providerUsed: cutText(event.provider_used),
    isByok: event.is_byok,
    originTitle: event.origin_title === null ? null : cutText(event.origin_title),
    endUserId: event.end_user_id === null ? null : cutText(event.end_user_id),
    keyLabelSetId: event.key_label_set_id,
    groupLabelSetId: event.group_label_set_id,
    endpoint: cutText(event.endpoint),
    modality: event.modality,
    extra: listExtra(event.extra),
  };
}

/** Whether two events of one key have the same dimensions, without working them out: whatever differs most often is compared first. */
export function isAlike(a: UsageEvent, b: UsageEvent): boolean {
  return isSameForwarded(a, b) && isSameCaller(a, b) && isSameExtra(a.extra, b.extra);
}

function isSameForwarded(a: UsageEvent, b: UsageEvent): boolean {
  return (
    a.model_used === b.model_used &&
    a.model_requested === b.model_requested &&
    a.provider_used === b.provider_used &&
    a.endpoint === b.endpoint &&
    a.modality === b.modality &&
    a.is_byok === b.is_byok
  );
}

function isSameCaller(a: UsageEvent, b: UsageEvent): boolean {
  return (
    a.end_user_id === b.end_user_id &&
    a.origin_title === b.origin_title &&
    a.user_id === b.user_id &&
    a.group_id === b.group_id &&
    a.key_label_set_id === b.key_label_set_id &&
    a.group_label_set_id === b.group_label_set_id &&
    a.org_id === b.org_id
  );
}

/** Fields in another order count as different here, and still come to the same series. */
function isSameExtra(a: UsageEvent['extra'], b: UsageEvent['extra']): boolean {
  const names = Object.keys(a);
  const others = Object.keys(b);
  if (names.length !== others.length) return false;
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] ?? '';
    if (name !== others[at] || a[name] !== b[name]) return false;
  }
  return true;
}

/** The text that identifies a series; equal dimensions always give the same text. */
export function seriesIdentity(series: SeriesDimensions): string {
  return JSON.stringify(Object.values(series));
}

/** The same series with all free text folded: for when an hour has more series than are kept apart. */
export function foldFreeText(series: SeriesDimensions): SeriesDimensions {
  return {
    ...series,
    originTitle: series.originTitle === null ? null : OTHER_VALUE,
    endUserId: series.endUserId === null ? null : OTHER_VALUE,
    extra: series.extra.map(([name]) => [name, OTHER_VALUE]),
  };
}

/**
 * The free fields that usage may be kept by. One that cannot be asked for, because `group_by` does not take its name,
 * would only multiply series.
 */
export function listExtra(extra: Readonly<Record<string, string>>): (readonly [string, string])[] {
  const names = Object.keys(extra);
  if (names.length === 0) return [];
  return names
    .filter((name) => FIELD.test(name))
    .sort()
    .slice(0, SERIES_LIMITS.extraFieldsMax)
    .map((name) => {
      const value = extra[name] ?? '';
      return [name, value.length > SERIES_LIMITS.extraValueCharsMax ? OTHER_VALUE : value];
    });
}

function cutText(text: string): string {
  if (text.length <= SERIES_LIMITS.textCharsMax) return text;
  // Half of a surrogate pair left by the cut is no text.
  return text.slice(0, SERIES_LIMITS.textCharsMax).replace(/[\ud800-\udbff]$/, '');
}
