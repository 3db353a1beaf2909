import type { LossReport } from '@weir/canonical';
import type { JsonRecord } from '../../wire/json-value';

type Names = Readonly<Record<string, string>>;
type Edits = {
  readonly renameParams?: Names | undefined;
  readonly dropParams?: readonly string[] | undefined;
};

/** Renames and drops members as a provider's rules say; what is dropped is reported. */
export function applyEdits(body: JsonRecord, { renameParams = {}, dropParams = [] }: Edits, losses: LossReport): JsonRecord {
  const edited: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    if (dropParams.includes(name)) losses.dropped.add(name);
    else edited.push([findNewName(renameParams, name) ?? name, value]);
  }
  return Object.fromEntries(edited) as JsonRecord;
}

/** Names are the caller's: one that every object has a member of is a name like any other. */
export function findNewName(names: Names, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}
