import type { KeyRecord } from '@weir/access';
import type { Attempt, Modality } from '@weir/contracts';
import { digestPartition, partitionOfId } from './digest-partition';
import type { LimitRule } from './limit-rule';

/** A rule that can bind the requests of one prepared call. */
export type BoundRule = {
  readonly rule: LimitRule;
  /** Null: the request decides it, by its end user. */
  readonly bearer: Bearer | null;
  /** Per attempt whether it counts; null: all do. */
  readonly counted: readonly boolean[] | null;
};

/** Whose use is counted. */
export type Bearer = {
  /** `-` where the limit has only one. */
  readonly partition: string;
  /** For people. */
  readonly about: string;
};

/** What limits look at of a key. */
type LimitedKey = Pick<KeyRecord, 'apiKeyId' | 'name' | 'userId' | 'groupId' | 'apiKeyLabels' | 'groupLabels'>;

export type LimitedPlan = {
  readonly key: LimitedKey;
  readonly modality: Modality;
  readonly attempts: readonly Pick<Attempt, 'modelId' | 'providerId'>[];
};

export const WHOLE = '-';
const NONE: readonly BoundRule[] = [];

/** The rules that can bind requests of a key that may go to these attempts. */
export function bindRules(rules: readonly LimitRule[], call: LimitedPlan): readonly BoundRule[] {
  const bound: BoundRule[] = [];
  for (const rule of rules) {
    const { scope, modalities } = rule.document;
    const bearer = findBearer(rule, call.key);
    if (bearer === undefined || (modalities !== undefined && !modalities.includes(call.modality))) continue;
    const counted = call.attempts.map((attempt) => isCounted(rule, attempt));
    if (!counted.includes(true)) continue;
    bound.push({ rule, bearer: scope === 'end_user' ? null : bearer, counted: counted.includes(false) ? counted : null });
  }
  return bound.length === 0 ? NONE : bound;
}

/** Of a limit that holds for each end user apart, or for the one it names; undefined where it does not bind that one. */
export function bearerOfEndUser({ document }: LimitRule, endUserId: string): Bearer | undefined {
  return bearerOf(`end user ${JSON.stringify(endUserId)}`, { named: document.end_user, actual: endUserId, isChosen: true });
}

function isCounted({ matchesModel, matchesProvider }: LimitRule, { modelId, providerId }: LimitedPlan['attempts'][number]): boolean {
  return (matchesModel?.(modelId) ?? true) && (matchesProvider?.(providerId) ?? true);
}

/** Undefined where the limit does not bind the key. */
function findBearer({ document }: LimitRule, key: LimitedKey): Bearer | undefined {
  const { scope, label = '' } = document;
  switch (scope) {
    case 'organization':
    case 'end_user':
      return { partition: WHOLE, about: 'the organization' };
    case 'group':
      return bearerOf(`group ${key.groupId}`, { named: document.group_id, actual: key.groupId });
    case 'member':
      return bearerOf(`member ${key.userId}`, { named: document.member_id, actual: key.userId });
    case 'key':
      return bearerOf(`key ${JSON.stringify(key.name)}`, { named: document.api_key_id, actual: key.apiKeyId });
    case 'api_key_label':
      return bearerOfLabel(document.label, { named: document.value, labels: key.apiKeyLabels });
    case 'group_label':
      return bearerOfLabel(label, { named: document.value, labels: key.groupLabels });
  }
}

type LabelBearing = { readonly named: string | undefined; readonly labels: Readonly<Record<string, string>> | undefined };

function bearerOfLabel(label: string | undefined, { named, labels = {} }: LabelBearing): Bearer | undefined {
  const actual = label !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
  return bearerOf(`label ${label}=${actual}`, { named, actual, isChosen: true });
}

type Bearing = {
  /** Whom the limit names; absent: it holds for each apart. */
  readonly named: string | undefined;
  readonly actual: string | null | undefined;
  /** Callers chose it: it is no id. */
  readonly isChosen?: boolean;
};

function bearerOf(about: string, { named, actual, isChosen = false }: Bearing): Bearer | undefined {
  if (actual === null || actual === undefined) return undefined;
  if (named !== undefined) return named === actual ? { partition: WHOLE, about } : undefined;
  return { partition: isChosen ? digestPartition(actual) : partitionOfId(actual), about };
}
