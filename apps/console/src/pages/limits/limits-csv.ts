import type { CsvColumn } from '../../format/csv';
import { findFullest, writeFilters, writePartition, writeTarget, type Names } from './limit-words';
import type { Limit } from './limits-queries';

export function listLimitCsv(names: Names): readonly CsvColumn<Limit>[] {
  return [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['scope', ({ scope }) => scope],
    ['holds_for', (limit) => writeTarget(limit, names)],
    ['counts_only', writeFilters],
    ['measure', ({ measure }) => measure],
    ['window', ({ window }) => window],
    ['amount', ({ amount }) => amount],
    ['action', ({ action }) => action],
    ['fallback_model', ({ fallback_model: model }) => model],
    ['used_of_the_fullest', (limit) => findFullest(limit)?.used],
    ['the_fullest', (limit) => writePartition(findFullest(limit)?.of ?? null, names)],
    ['version', ({ version }) => version],
  ];
}
