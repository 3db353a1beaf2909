import type { Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { KeyRecord, ModelPatterns, Principal } from './principal';

/** Makes a predicate from model patterns; the catalogue provides it, so that patterns mean the same everywhere. */
export type CreateMatcher = (patterns: readonly string[]) => (modelId: string) => boolean;

type Matchers = Partial<Record<Modality, readonly ((modelId: string) => boolean)[]>>;

/**
 * Decides which models a key may use: organization's approved models ∩ group's list ∩ key's list, a list that is absent
 * allowing everything. Compiled once per key record.
 */
export function createModelGuard(createMatcher: CreateMatcher) {
  const compiled = new WeakMap<KeyRecord, Matchers>();

  const matchersOf = (key: KeyRecord, modality: Modality) => {
    let matchers = compiled.get(key);
    if (matchers === undefined) {
      matchers = {};
      compiled.set(key, matchers);
    }
    return (matchers[modality] ??= [key.organization.approvedModels, key.groupAccessList, key.keyAccessList]
      .filter((list): list is ModelPatterns => list !== null)
      .map((list) => createMatcher(list[modality])));
  };

  const isAllowed = (principal: Principal, modality: Modality, modelId: string): boolean => {
    const matchers = matchersOf(principal.key, modality);
    for (const matches of matchers) if (!matches(modelId)) return false;
    return true;
  };

  return {
    isAllowed,
    /** Throws `model_not_allowed`. */
    check: (principal: Principal, modality: Modality, modelId: string): void => {
      if (isAllowed(principal, modality, modelId)) return;
      throw new GatewayError(
        'model_not_allowed',
        `This API key is not allowed to use the model "${modelId}". Ask an administrator to add it to the access list.`,
      );
    },
  };
}
export type ModelGuard = ReturnType<typeof createModelGuard>;
