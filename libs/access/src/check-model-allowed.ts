import type { Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { KeyRecord, ModelPatterns, Principal } from './ports/principal';

/** Makes a predicate from model patterns; the catalogue provides it, so that patterns mean the same everywhere. */
type CreateMatcher = (patterns: readonly string[]) => (modelId: string) => boolean;

/** What one list lets in: models by their ids, and what an alias or a policy leads to by its name. */
type ListMatcher = { readonly matchesModel: (modelId: string) => boolean; readonly matchesName: (name: string) => boolean };

type Matchers = Partial<Record<Modality, readonly ListMatcher[]>>;

const POLICY_PREFIX = 'policy/';
const NO_NAMES: readonly string[] = [];

/**
 * The entries of a list that may name policies and aliases. A pattern names policies only where it says so: one that was
 * written for models lets in no policy whose name happens to fit.
 */
export function pickNameEntries(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => !pattern.includes('*') || pattern.startsWith(POLICY_PREFIX));
}

/**
 * Decides which models a key may use: organization's approved models ∩ group's list ∩ key's list, a list that is absent
 * allowing everything. A list that names an alias or a policy allows what that leads to, for requests that name it. Compiled
 * once per key record.
 */
export function createModelGuard(createMatcher: CreateMatcher) {
  const compiled = new WeakMap<KeyRecord, Matchers>();
  const shareMatcher = createSharing((patterns) => compileList(patterns, createMatcher));

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

  const isAllowed = (principal: Principal, { modality, id }: NamedModel, names = NO_NAMES): boolean => {
    const matchers = matchersOf(principal.key, modality);
    for (const { matchesModel, matchesName } of matchers) if (!matchesModel(id) && !names.some(matchesName)) return false;
    return true;
  };

  const refuse = (principal: Principal, model: NamedModel, names = NO_NAMES): GatewayError | undefined => {
    if (isAllowed(principal, model, names)) return undefined;
    const { organization, groupAccessList } = principal.key;
    const isIn = (list: ModelPatterns | null): boolean =>
      list === null || [shareMatcher(list[model.modality])].every((one) => one.matchesModel(model.id) || names.some(one.matchesName));
    const isApproved = isIn(organization.approvedModels);
    const why = isApproved
      ? `The access list of ${isIn(groupAccessList) ? 'this API key' : "this API key's group"} does not have the model "${model.id}".`
      : `This organization has not approved the model "${model.id}".`;
    const where = isApproved ? 'that access list' : "the organization's approved models";
    return new GatewayError('model_not_allowed', `${why} Ask an administrator to add it to ${where}.`, { field: 'model' });
  };

  return {
    /** `names` are the aliases and policies by which the request came to the model. */
    isAllowed,
    /** Returns `model_not_allowed`, or undefined for a model the key may use. */
    refuse,
    /** Throws `model_not_allowed`. */
    check: (principal: Principal, model: NamedModel): void => {
      const refusal = refuse(principal, model);
      if (refusal !== undefined) throw refusal;
    },
  };
}

type NamedModel = { readonly modality: Modality; readonly id: string };

function compileList(patterns: readonly string[], createMatcher: CreateMatcher): ListMatcher {
  let names: ((name: string) => boolean) | undefined;
  return {
    matchesModel: createMatcher(patterns),
    // Few requests name an alias or a policy.
    matchesName: (name) => (names ??= createMatcher(pickNameEntries(patterns)))(name),
  };
}

const SHARED_MAX = 10_000;

/** Keys of one organization mostly have the same lists: one matcher for all of them stays in the processor's cache. */
function createSharing(compile: (patterns: readonly string[]) => ListMatcher): (patterns: readonly string[]) => ListMatcher {
  const shared = new Map<string, ListMatcher>();
  return (patterns) => {
    const text = JSON.stringify(patterns);
    let matcher = shared.get(text);
    if (matcher === undefined) {
      if (shared.size >= SHARED_MAX) shared.clear();
      matcher = compile(patterns);
      shared.set(text, matcher);
    }
    return matcher;
  };
}

export type ModelGuard = ReturnType<typeof createModelGuard>;
