/** What a limit is about. A row's `targets` name one; without them the limit holds for each of its kind apart. */
type LimitScopeRow = {
  readonly name: string;
  /** The fields of a limit that name whom it is about. */
  readonly targets: readonly LimitTargetField[];
  /** Fields without which the scope says nothing. */
  readonly needs: readonly LimitTargetField[];
  readonly about: string;
};

type LimitTargetField = 'group_id' | 'member_id' | 'api_key_id' | 'end_user' | 'label' | 'value';

/** THE table of scopes: one row each. Checks, messages, the API description and docs/limits.md are derived from it. */
export const LIMIT_SCOPES = [
  { name: 'organization', targets: [], needs: [], about: 'all requests of the organization' },
  { name: 'group', targets: ['group_id'], needs: [], about: 'requests of keys in one group, or in each group' },
  { name: 'member', targets: ['member_id'], needs: [], about: 'requests of one member, or of each member, over all of their keys' },
  { name: 'key', targets: ['api_key_id'], needs: [], about: 'requests of one key, or of each key' },
  {
    name: 'end_user',
    targets: ['end_user'],
    needs: [],
    about: 'requests that name one end user (`user`, `metadata.user_id`), or each; those that name none are not counted',
  },
  {
    name: 'api_key_label',
    targets: ['label', 'value'],
    needs: ['label'],
    about: 'requests of keys with one value of a label, or with each of its values',
  },
  {
    name: 'group_label',
    targets: ['label', 'value'],
    needs: ['label'],
    about: 'requests of groups with one value of a label, or with each of its values',
  },
] as const satisfies readonly LimitScopeRow[];

/** What is counted. */
type LimitMeasureRow = {
  readonly name: string;
  /** Of `amount`; USD has decimals, everything else is whole. */
  readonly unit: 'USD' | 'requests' | 'tokens' | 'streams';
  /** Counts what runs at a moment: such a limit has no window. */
  readonly isConcurrent: boolean;
  /** What is taken at admission, and what it is replaced by at the end. */
  readonly held: string;
  readonly settled: string;
};

/** THE table of measures. Their short names stand in the names of scopes, which are stored: they never change. */
export const LIMIT_MEASURES = [
  { name: 'usd', unit: 'USD', isConcurrent: false, held: 'the most the request can cost', settled: 'what it cost' },
  { name: 'requests', unit: 'requests', isConcurrent: false, held: 'one', settled: 'one, if it was sent to a provider' },
  {
    name: 'input_tokens',
    unit: 'tokens',
    isConcurrent: false,
    held: 'the most its prompt can be',
    settled: 'what was read, from caches too',
  },
  { name: 'output_tokens', unit: 'tokens', isConcurrent: false, held: 'the longest answer it allows', settled: 'what was written' },
  { name: 'tokens', unit: 'tokens', isConcurrent: false, held: 'both of these', settled: 'both of these' },
  { name: 'concurrent_requests', unit: 'requests', isConcurrent: true, held: 'one', settled: 'nothing' },
  { name: 'concurrent_streams', unit: 'streams', isConcurrent: true, held: 'one, if it asks for a stream', settled: 'nothing' },
] as const satisfies readonly LimitMeasureRow[];

/** Over which time it is counted. */
type LimitWindowRow = {
  readonly name: string;
  /** Begins by the calendar of the organization's time zone. */
  readonly calendar: 'minute' | 'hour' | 'day' | 'week' | 'month' | null;
  /** Of a rolling window: how long it is, and in what steps it moves. Counted is at least the length, at most a step more. */
  readonly rolling: { readonly ms: number; readonly stepMs: number } | null;
  readonly about: string;
};

const HOUR_MS = 3_600_000;

/** THE table of windows. Their names stand in the names of scopes, which are stored: they never change. */
export const LIMIT_WINDOWS = [
  { name: 'minute', calendar: 'minute', rolling: null, about: 'each minute of the clock' },
  { name: 'hour', calendar: 'hour', rolling: null, about: "each hour of the organization's time zone" },
  { name: 'day', calendar: 'day', rolling: null, about: "each day of the organization's time zone" },
  { name: 'week', calendar: 'week', rolling: null, about: 'each week, from Monday on' },
  { name: 'month', calendar: 'month', rolling: null, about: 'each calendar month' },
  { name: '24h', calendar: null, rolling: { ms: 24 * HOUR_MS, stepMs: HOUR_MS }, about: 'the last 24 hours, in steps of an hour' },
  { name: '30d', calendar: null, rolling: { ms: 30 * 24 * HOUR_MS, stepMs: 24 * HOUR_MS }, about: 'the last 30 days, in steps of a day' },
  { name: 'total', calendar: null, rolling: null, about: 'since the limit was made' },
] as const satisfies readonly LimitWindowRow[];

/** What happens to a request that does not fit. */
export const LIMIT_ACTIONS = [
  { name: 'refuse', about: 'it is refused' },
  { name: 'fallback', about: 'it is sent to the cheaper model that the limit names' },
  { name: 'alert', about: 'it is served and counted; alerts say how full the limit is' },
] as const;

export type LimitScope = (typeof LIMIT_SCOPES)[number]['name'];
export type LimitMeasure = (typeof LIMIT_MEASURES)[number]['name'];
export type LimitWindow = (typeof LIMIT_WINDOWS)[number]['name'];
export type LimitAction = (typeof LIMIT_ACTIONS)[number]['name'];
