import type { LossReport } from '@weir/canonical';
import type { JsonRecord } from '../../wire/json-value';

type Edits = {
  readonly renameParams?: Readonly<Record<string, string>> | undefined;
  readonly dropParams?: readonly string[] | undefined;
};

/** Renames and drops members as a provider's rules say; what is dropped is told. */
export function applyEdits(body: JsonRecord, { renameParams = {}, dropParams = [] }: Edits, losses: LossReport): JsonRecord {
  const edited: JsonRecord = {};
  for (const [name, value] of Object.entries(body)) {
    if (dropParams.includes(name)) losses.dropped.add(name);
    else edited[renameParams[name] ?? name] = value;
  }
  return edited;
}
