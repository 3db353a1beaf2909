import type { ChargeLine } from './charge-line';

/** What bears the cost of which usage. */
export type CostCentreRules = {
  /** The label whose value is the cost centre; null: labels say nothing. */
  readonly label: string | null;
  /** For what has no such label: the first that fits. Each names one of a group, a key or a member. */
  readonly rules: readonly CostCentreRule[];
  /** For all the rest. */
  readonly default: string;
};

export type CostCentreRule = {
  readonly cost_centre: string;
  readonly group_id?: string | undefined;
  readonly api_key_id?: string | undefined;
  readonly member_id?: string | undefined;
};

/** By what a line came to its cost centre. */
export const ASSIGNED_BY = ['api_key_label', 'group_label', 'rule', 'default'] as const;
export type AssignedBy = (typeof ASSIGNED_BY)[number];

/** Where no rules were given: everything is in one. */
export const NO_COST_CENTRES: CostCentreRules = { label: null, rules: [], default: 'Unassigned' };

type Assigned = { readonly costCentre: string; readonly by: AssignedBy };
type Dimensions = Pick<ChargeLine, 'apiKeyId' | 'memberId' | 'groupId' | 'keyLabels' | 'groupLabels'>;

/**
 * The one cost centre of a line, for every line there can be: the label of the key, then that of its group, then the first
 * rule that fits, then the default. Labels are those of the time of the request.
 */
export function assignCostCentre({ label, rules, default: rest }: CostCentreRules, line: Dimensions): Assigned {
  const ofKey = label === null ? undefined : ownValue(line.keyLabels, label);
  if (ofKey !== undefined) return { costCentre: ofKey, by: 'api_key_label' };
  const ofGroup = label === null ? undefined : ownValue(line.groupLabels, label);
  if (ofGroup !== undefined) return { costCentre: ofGroup, by: 'group_label' };
  const rule = rules.find((one) => fits(one, line));
  return rule === undefined ? { costCentre: rest, by: 'default' } : { costCentre: rule.cost_centre, by: 'rule' };
}

/** A label without a value says nothing. */
function ownValue(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  const value = Object.hasOwn(labels, name) ? labels[name] : undefined;
  return value === '' ? undefined : value;
}

function fits({ group_id: groupId, api_key_id: apiKeyId, member_id: memberId }: CostCentreRule, line: Dimensions): boolean {
  if (groupId !== undefined) return line.groupId === groupId;
  if (apiKeyId !== undefined) return line.apiKeyId === apiKeyId;
  return memberId !== undefined && line.memberId === memberId;
}
