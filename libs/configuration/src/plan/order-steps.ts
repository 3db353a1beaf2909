import type { Fields } from './configuration-object';
import { KIND_ORDER } from './kinds';
import type { Step } from './step';

const POLICY_PREFIX = 'policy/';

/**
 * In the order in which they can be carried out: what nothing refers to goes first, then everything is made or changed after
 * what it refers to, then the rest goes, after what referred to it.
 */
export function orderSteps(steps: readonly Step[]): Step[] {
  const at = ({ kind }: Step): number => KIND_ORDER.indexOf(kind);
  const gone = steps.filter(({ action }) => action === 'delete').sort((one, other) => at(other) - at(one));
  const kept = steps.filter(({ action }) => action !== 'delete').sort((one, other) => at(one) - at(other));
  const isLeaf = (step: Step): boolean => at(step) >= KIND_ORDER.indexOf('guardrail');
  return [...gone.filter(isLeaf), ...orderPolicies(kept), ...orderPolicies(gone.filter((step) => !isLeaf(step)).reverse()).reverse()];
}

/** Policies may hold one another: those that are held come first. Where they hold one another in a circle, that is for others to say. */
function orderPolicies(steps: readonly Step[]): Step[] {
  const policies = new Map(steps.filter(({ kind }) => kind === 'policy').map((step) => [step.name, step]));
  const placed = new Set<string>();
  const ordered: Step[] = [];
  const place = (step: Step): void => {
    if (placed.has(step.name)) return;
    placed.add(step.name);
    for (const name of heldBy(step.fields)) {
      const held = policies.get(name);
      if (held !== undefined) place(held);
    }
    ordered.push(step);
  };
  [...policies.values()].forEach(place);
  const before = steps.findIndex(({ kind }) => kind === 'policy');
  if (before === -1) return [...steps];
  const rest = steps.filter(({ kind }) => kind !== 'policy');
  return [...rest.slice(0, before), ...ordered, ...rest.slice(before)];
}

function heldBy({ models }: Fields): string[] {
  if (!Array.isArray(models)) return [];
  return (models as readonly { readonly model?: unknown }[])
    .map(({ model }) => String(model))
    .filter((model) => model.startsWith(POLICY_PREFIX))
    .map((model) => model.slice(POLICY_PREFIX.length));
}
