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
  const shareMatcher = createSharing(createMatcher);

  const matchersOf = (key: KeyRecord, modality: Modality) => {
    let matchers = compiled.get(key);
    if (matchers === undefined) {
      matchers = {};
      compiled.set(key, matchers);
    }
    return (matchers[modality] ??= [key.organization.approvedModels, key.groupAccessList, key.keyAccessList]
      .filter((list): list is ModelPatterns => list !== null)
      .map((list) => shareMatcher(list[modality])));
  };

  const isAllowed = (principal: Principal, modality: Modality, modelId: string): boolean => {
    const matchers = matchersOf(principal.key, modality);
    for (const matches of matchers) if (!matches(modelId)) return false;
    return true;
  };

  const refuse = (principal: Principal, modality: Modality, modelId: string): GatewayError | undefined => {
    if (isAllowed(principal, modality, modelId)) return undefined;
    return new GatewayError(
      'model_not_allowed',
      `This API key is not allowed to use the model "${modelId}". Ask an administrator to add it to the access list.`,
    );
  };

  return {
    isAllowed,
    /** Answers `model_not_allowed`, or undefined for a model the key may use. */
    refuse,
    /** Throws `model_not_allowed`. */
    check: (principal: Principal, modality: Modality, modelId: string): void => {
      const refusal = refuse(principal, modality, modelId);
      if (refusal !== undefined) throw refusal;
    },
  };
}

const SHARED_MAX = 10_000;

/** Keys of one organization mostly have the same lists: one matcher for all of them stays in the processor's cache. */
function createSharing(createMatcher: CreateMatcher): CreateMatcher {
  const shared = new Map<string, (modelId: string) => boolean>();
  return (patterns) => {
    const text = JSON.stringify(patterns);
    let matcher = shared.get(text);
    if (matcher === undefined) {
      if (shared.size >= SHARED_MAX) shared.clear();
      matcher = createMatcher(patterns);
      shared.set(text, matcher);
    }
    return matcher;
  };
}

export type ModelGuard = ReturnType<typeof createModelGuard>;
