import type { Schemas } from '../../api/client';
import type { Group, Key } from '../administration/lists';
import type { Model } from './filter-models';

export type Reach = Schemas['AccessListPreview'];

export type KeysForModel = { readonly may: readonly Key[]; readonly mayNot: number };

/** The access lists that decide about keys: their own and their groups'. */
export function listDeciding(keys: readonly Key[], groups: readonly Group[]): string[] {
  return [...new Set(keys.flatMap((key) => listsOf(key, groups)))];
}

/** Keys that may use a model as things stand; `reaches` has what each deciding access list lets in. Both lists of a key must. */
export function findKeysFor(
  model: Pick<Model, 'id' | 'api'>,
  keys: readonly Key[],
  { groups, reaches }: { readonly groups: readonly Group[]; readonly reaches: ReadonlyMap<string, Reach> },
): KeysForModel {
  const may = keys.filter(
    (key) =>
      key.status === 'active' &&
      key.permissions.completions === 'write' &&
      listsOf(key, groups).every((list) => letsIn(reaches.get(list), model)),
  );
  return { may, mayNot: keys.length - may.length };
}

function listsOf(key: Key, groups: readonly Group[]): string[] {
  const ofGroup = groups.find(({ id }) => id === key.group?.id)?.access_list_id ?? null;
  return [key.access_list_id, ofGroup].filter((id) => id !== null);
}

function letsIn(reach: Reach | undefined, { id, api }: Pick<Model, 'id' | 'api'>): boolean {
  return reach !== undefined && (reach.models[api].includes(id) || reach.names.includes(id));
}
