import { documentOf, mergeDocuments } from '@weir/model-catalog';
import type { Command } from '../command';
import { openCatalog } from '../open-catalog';
import { describeChange, NOTE, putInForce, YES } from './put-in-force';
import { readChanges } from './read-changes';

const FILE = { value: 'FILE', meaning: '{"models": […], "removed": [ids], "providers": […]}, or an array of models' };
const WHOLE = {
  name: 'whole',
  meaning: 'the file is all that is different here: what it does not have goes. Without it, its rows replace those of the same ids',
};

export const applyCatalog: Command = {
  words: 'catalog apply',
  summary: 'Changes models, prices and providers in all processes within five seconds, after showing what would be different.',
  argument: FILE,
  options: [WHOLE, NOTE, YES],
  run: async ({ argument, options, flags }, { open }) => {
    const changes = readChanges(argument ?? '');
    const deployment = await open();
    const catalog = await openCatalog(deployment);
    const document = flags.has('whole') ? changes : mergeDocuments(documentOf(catalog), changes);
    return putInForce(deployment, { catalog, document, note: options['note'], isConfirmed: flags.has('yes') });
  },
  describe: describeChange,
};

export const diffCatalog: Command = {
  words: 'catalog diff',
  summary: 'Shows what "catalog apply" would change: models, members, and prices before and after.',
  argument: FILE,
  options: [WHOLE],
  run: async ({ argument, flags }, { open }) => {
    const changes = readChanges(argument ?? '');
    const deployment = await open();
    const catalog = await openCatalog(deployment);
    const document = flags.has('whole') ? changes : mergeDocuments(documentOf(catalog), changes);
    return putInForce(deployment, { catalog, document, isConfirmed: false });
  },
  describe: describeChange,
};
