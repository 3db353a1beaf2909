import type { LossReport } from '@weir/canonical';
import type { ModelFacts } from '../provider/target';
import type { JsonRecord } from '../wire/json-value';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

/** What happens to the parameters of one request. */
export type ParamRules = {
  readonly rename: readonly (readonly [from: string, to: string])[];
  readonly drop: readonly string[];
  readonly defaults: readonly (readonly [name: string, value: unknown])[];
};

/** Joins the rules for all models with those for reasoning models, once for each kind. */
export function planParamRules(provider: CompatibleProvider): (model: ModelFacts) => ParamRules {
  const plain = toRules([provider]);
  const reasoning = toRules([provider, provider.reasoningModels]);
  return (model) => (model.supportsReasoning ? reasoning : plain);
}

type RuleSet = Pick<CompatibleProvider, 'renameParams' | 'dropParams' | 'defaults'>;

function toRules(sets: readonly RuleSet[]): ParamRules {
  return {
    rename: sets.flatMap((set) => Object.entries(set.renameParams)),
    drop: sets.flatMap((set) => set.dropParams),
    defaults: sets.flatMap((set) => Object.entries(set.defaults)),
  };
}

/** Applies the rules to a body of our own making, and says what was lost. */
export function applyParamRules(body: JsonRecord, rules: ParamRules, losses: LossReport): void {
  for (const name of rules.drop) {
    if (body[name] === undefined) continue;
    Reflect.deleteProperty(body, name);
    losses.dropped.add(name);
  }
  for (const [from, to] of rules.rename) {
    if (body[from] === undefined) continue;
    body[to] ??= body[from];
    Reflect.deleteProperty(body, from);
  }
  for (const [name, value] of rules.defaults) body[name] ??= value;
}
