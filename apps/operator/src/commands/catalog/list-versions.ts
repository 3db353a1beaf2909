import { listCatalogVersions } from '@weir/database';
import { UsageError, type Command } from '../command';

const SHOWN = 50;

export const listVersions: Command = {
  words: 'catalog history',
  summary: 'Lists the versions of the catalogue, the newest first: who made each, when and why.',
  options: [{ name: 'limit', value: 'N', meaning: `how many, ${SHOWN} by default` }],
  run: async ({ options }, { open }) => {
    const limit = Number(options['limit'] ?? SHOWN);
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) throw new UsageError('--limit takes a whole number from 1 to 10000.');
    const { database } = await open();
    const rows = await listCatalogVersions(database.pool, limit);
    return {
      versions: rows.map(({ id, createdAt, actor, note, restores, models, removed, providers }) => ({
        ...{ version: id, created_at: createdAt.toISOString(), actor, note, restores },
        ...{ own_models: models, removed, own_providers: providers },
      })),
    };
  },
};
