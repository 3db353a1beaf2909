import { join } from 'node:path';
import type { ModelRow } from '@weir/model-catalog';
import { mergePrices } from './merge-prices';
import { createPlainWords, type PrivacyStatement } from './plain-words';
import privacyStatements from './privacy-statements.json';
import { readSource } from './read-source';
import { toModelRow } from './to-model-row';
import { toPrices } from './to-prices';
import { readRows, writeAddressBook, writeRows } from './write-catalog';

type SyncOptions = {
  readonly source: string;
  /** The folder of the catalogue; its `data/models` holds a file per provider. */
  readonly target: string;
  /** The day, as 2026-08-22, on which the source's prices hold; it also names their version. */
  readonly asOf: string;
};
type SyncReport = {
  readonly models: number;
  readonly added: string[];
  readonly repriced: string[];
  /** In our data, from a provider that the source covers, but not in the source. They are kept: removing is a decision. */
  readonly missing: string[];
  readonly unexplained: string[];
};

/** Brings the data files up to date with a source. Facts are replaced, prices are appended. */
export function syncCatalog(options: SyncOptions): SyncReport {
  const models = readSource(options.source);
  const words = createPlainWords(
    models.map(({ record }) => record),
    privacyStatements satisfies PrivacyStatement[],
  );
  const modelsFolder = join(options.target, 'data', 'models');
  const known = readRows(modelsFolder);
  const added: string[] = [];
  const repriced: string[] = [];
  const rows = models.map((model): ModelRow => {
    const before = known.get(model.record.id)?.prices ?? [];
    const prices = mergePrices(before, toPrices(model), options.asOf);
    if (before.length === 0) added.push(model.record.id);
    else if (prices.at(-1) !== before.at(-1)) repriced.push(model.record.id);
    return { ...toModelRow(model, words), prices } as ModelRow;
  });
  const written = new Set(rows.map((row) => row.id));
  const providers = new Set(rows.map((row) => row.provider));
  const missing = [...known.values()].filter((row) => providers.has(row.provider) && !written.has(row.id));
  writeRows(modelsFolder, [...rows, ...missing]);
  writeAddressBook(options.target);
  return { models: rows.length, added, repriced, missing: missing.map((row) => row.id), unexplained: [...words.unexplained] };
}
