/** What usage can be cut by, in words: libs/contracts/src/management/usage-dimensions.ts. */
const NAMES: Readonly<Record<string, string>> = {
  model_used: 'Model',
  model_requested: 'Model asked for',
  provider_used: 'Provider',
  api_key_id: 'Key',
  group_id: 'Group',
  member_email: 'Member',
  user_id: 'End user',
  origin_title: 'Application',
  is_byok: 'Own provider key',
  group_name: 'Group name',
  member_id: 'Member id',
};
/** The rest of their names is the caller's. */
const CHOSEN: Readonly<Record<string, string>> = { api_key_label: 'Key label', group_label: 'Group label', extra: 'Extra field' };

export const DIMENSIONS: readonly string[] = Object.keys(NAMES);
export const CHOSEN_DIMENSIONS: readonly string[] = Object.keys(CHOSEN);

/** Usage without a value, in every dimension. */
export const UNKNOWN = 'Unknown';

export function isDimension(name: string): boolean {
  return Object.hasOwn(NAMES, name) || /^(api_key_label|group_label|extra)\.[A-Za-z0-9_.-]{1,64}$/.test(name);
}

export function describeDimension(name: string): string {
  const [kind = '', ...rest] = name.split('.');
  return NAMES[name] ?? `${CHOSEN[kind] ?? kind}${rest.length === 0 ? '' : ` “${rest.join('.')}”`}`;
}
