import type { AdmittedAttempt } from '@weir/database';
import { bindRules, type BoundRule, type LimitedPlan, type LimitRule } from '@weir/limits';

type Labels = Readonly<Record<string, string>>;

/** What label sets say, by id: events keep the labels of their time. */
export type LabelSets = ReadonlyMap<string, Labels>;

/** Combinations of key, labels, models and providers that are remembered. */
const KNOWN_MAX = 10_000;

/** Binds a rule to requests as admission does, once for all requests that are alike. */
export function createAttemptBinder(rules: readonly LimitRule[], labelSets: LabelSets) {
  const known = new Map<string, readonly BoundRule[]>();
  return (attempts: readonly [AdmittedAttempt, ...AdmittedAttempt[]]): readonly BoundRule[] => {
    const [{ apiKeyId, userId, groupId, keyLabelSetId, groupLabelSetId, modality }] = attempts;
    const places = attempts.map(({ model, provider }) => [model, provider]);
    const name = JSON.stringify([apiKeyId, userId, groupId, keyLabelSetId, groupLabelSetId, modality, places]);
    let bound = known.get(name);
    if (bound === undefined) {
      if (known.size >= KNOWN_MAX) known.clear();
      known.set(name, (bound = bindRules(rules, planOf(attempts, labelSets))));
    }
    return bound;
  };
}

function planOf(attempts: readonly [AdmittedAttempt, ...AdmittedAttempt[]], labelSets: LabelSets): LimitedPlan {
  const [{ apiKeyId, userId, groupId, keyLabelSetId, groupLabelSetId, modality }] = attempts;
  const labelsOf = (id: string | null): Labels => (id === null ? undefined : labelSets.get(id)) ?? {};
  return {
    key: { apiKeyId, name: apiKeyId, userId, groupId, apiKeyLabels: labelsOf(keyLabelSetId), groupLabels: labelsOf(groupLabelSetId) },
    modality,
    attempts: attempts.map(({ model, provider }) => ({ modelId: model, providerId: provider })),
  };
}
