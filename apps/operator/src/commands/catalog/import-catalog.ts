import { documentOf, mergeDocuments } from '@weir/model-catalog';
import type { Command } from '../command';
import { openCatalog } from '../open-catalog';
import { putInForce } from './put-in-force';
import { readChanges } from './read-changes';

export const importCatalog: Command = {
  words: 'catalog import',
  summary: 'Adds models, or replaces those of the same ids, at once: "catalog apply --yes" for programs that know what they bring.',
  argument: { value: 'FILE', meaning: 'a JSON array of models, written as in libs/model-catalog/data/models' },
  options: [],
  run: async ({ argument }, { open }) => {
    const changes = readChanges(argument ?? '');
    const deployment = await open();
    const catalog = await openCatalog(deployment);
    const document = mergeDocuments(documentOf(catalog), changes);
    const { version, diff } = await putInForce(deployment, { catalog, document, note: 'import', isConfirmed: true });
    return {
      imported: changes.models.length,
      own_models: document.models.length,
      changed_models: diff.models.length,
      version: version ?? catalog.state()?.id ?? null,
    };
  },
};
