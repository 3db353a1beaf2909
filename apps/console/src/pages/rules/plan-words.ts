import type { Schemas } from '../../api/client';

type Plan = Schemas['Plan'];

/** Why a member of a policy is left out, in two or three words; the gateway's own sentence follows. */
export function nameObstacle(code: string): string {
  return OBSTACLES[code] ?? code;
}

const OBSTACLES: Readonly<Record<string, string>> = {
  model_not_allowed: 'access list',
  data_policy: 'data rules',
  provider_not_configured: 'provider not set up',
  model_not_found: 'not there',
};

export function nameHealth(health: Plan['attempts'][number]['health']): { readonly kind: 'good' | 'bad' | 'warn'; readonly text: string } {
  if (health === 'ready') return { kind: 'good', text: 'ready' };
  return health === 'ejected' ? { kind: 'bad', text: 'ejected: it failed' } : { kind: 'warn', text: 'resting: it asked to wait' };
}

const SETTINGS: Readonly<Record<string, string>> = {
  api_key: 'The key, this month',
  group_member: 'Its member in the group, this month',
  group: 'Its group, this month',
  organization_balance: 'Balance of the organization',
};

/** Limits that are settings have no name of their own. */
export function nameLimit({ name, scope }: Pick<Plan['limits'][number], 'name' | 'scope'>): string {
  return name ?? SETTINGS[scope] ?? scope;
}

/** How a policy was ordered for this request. */
export function nameReason({ strategy, reason }: Plan['orders'][number]): string {
  if (reason === 'sticky') return 'by weight, the same way for the same user or trace';
  if (reason === 'weighted') return 'by weight: this time by chance in this order';
  if (reason === 'exploring') return 'by time: this time first where least is known';
  return { fallback: 'in the order of the policy', weighted: 'by weight', latency: 'the fastest first', price: 'the cheapest first' }[
    strategy
  ];
}

/** What holds for the content of the request, as a sentence. */
export function describeDataRules(rules: Plan['data_rules']): string {
  if (rules === null) return '';
  const parts = [
    rules.data_residency === null ? '' : `stays in the ${rules.data_residency.toUpperCase()}`,
    rules.zero_data_retention ? 'is kept by no one' : '',
    rules.data_used_for_training ? '' : 'is not used for training',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'No data rules hold for it.' : `Its content ${parts.join(', ')}.`;
}
