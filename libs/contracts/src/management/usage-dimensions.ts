import type { UsageEvent } from '../events/usage-event';

type UsageDimensionRow = {
  /** The public name; where callers choose the rest of it, the part before that, dot included. */
  readonly name: string;
  /** What documents call the rest that callers choose. */
  readonly chosen?: `<${string}>`;
  /** The field of usage events that has the value, or by which it is found. */
  readonly of: keyof UsageEvent;
  /** What is found by the field, where the value is not the field itself. */
  readonly joined?: 'group_name' | 'member_email' | 'key_labels' | 'group_labels';
  /** What its values are, where not every text is one. */
  readonly values?: 'id' | 'flag';
};

/**
 * THE table of `group_by` and `filter`: one row per dimension. Checks, messages, SQL and the API description are derived
 * from it. Where usage is not kept by the row's field yet, `libs/database` does not compile until it is.
 */
export const USAGE_DIMENSIONS = [
  { name: 'group_name', of: 'group_id', joined: 'group_name' },
  { name: 'group_id', of: 'group_id', values: 'id' },
  { name: 'member_id', of: 'user_id', values: 'id' },
  { name: 'member_email', of: 'user_id', joined: 'member_email' },
  // The end user that the caller named in the request, not the member who owns the key.
  { name: 'user_id', of: 'end_user_id' },
  { name: 'api_key_id', of: 'api_key_id', values: 'id' },
  { name: 'model_requested', of: 'model_requested' },
  { name: 'model_used', of: 'model_used' },
  { name: 'provider_used', of: 'provider_used' },
  { name: 'is_byok', of: 'is_byok', values: 'flag' },
  { name: 'origin_title', of: 'origin_title' },
  { name: 'extra.', chosen: '<field>', of: 'extra' },
  { name: 'api_key_label.', chosen: '<key>', of: 'key_label_set_id', joined: 'key_labels' },
  { name: 'group_label.', chosen: '<key>', of: 'group_label_set_id', joined: 'group_labels' },
] as const satisfies readonly UsageDimensionRow[];

export type UsageDimension = UsageDimensionRow & Pick<(typeof USAGE_DIMENSIONS)[number], 'of'>;
