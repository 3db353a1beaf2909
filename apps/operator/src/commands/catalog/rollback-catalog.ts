import { createCatalogSource } from '@weir/database';
import { catalogState, EMPTY_DOCUMENT, type CatalogDocument } from '@weir/model-catalog';
import { UsageError, type Command, type OpenDeployment } from '../command';
import { openCatalog } from '../open-catalog';
import { describeChange, NOTE, putInForce, YES } from './put-in-force';

export const rollbackCatalog: Command = {
  words: 'catalog rollback',
  summary: 'Makes the catalogue what it was in an earlier version, as a new version. Prices that were charged since stay known.',
  argument: { value: 'VERSION', meaning: 'as "catalog history" lists it; 0: the catalogue of the release, without any change' },
  options: [NOTE, YES],
  run: async ({ argument = '', options, flags }, { open }) => {
    if (!/^\d{1,9}$/.test(argument))
      throw new UsageError(`catalog rollback takes the number of a version, not "${argument.slice(0, 50)}".`);
    const deployment = await open();
    const catalog = await openCatalog(deployment);
    const restores = Number(argument);
    const document = await findDocument(deployment, restores);
    const note = options['note'] ?? `rollback to version ${restores}`;
    return putInForce(deployment, { catalog, document, note, restores, isConfirmed: flags.has('yes') });
  },
  describe: describeChange,
};

async function findDocument({ database }: OpenDeployment, id: number): Promise<CatalogDocument> {
  if (id === 0) return EMPTY_DOCUMENT;
  const state = await createCatalogSource(database.pool).readVersion(id);
  if (state === undefined) throw new UsageError(`There is no version ${id} of the catalogue. See weir catalog history.`);
  return catalogState.parse(state).document;
}
