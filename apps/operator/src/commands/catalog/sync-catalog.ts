import { addCatalogProposal } from '@weir/database';
import { LIST_FORMATS, proposeChanges, readList, type ListFormat } from '@weir/model-catalog';
import { UsageError, type Command } from '../command';
import { describeProposal, summarize } from './describe-proposal';
import { openCatalog } from '../open-catalog';
import { readSource } from './read-source';

const FORMATS = LIST_FORMATS.map(({ name }) => name);

export const syncCatalog: Command = {
  words: 'catalog sync',
  summary: 'Compares a list of models that somebody else publishes with the catalogue, and keeps what is different as a proposal.',
  options: [
    { name: 'source', value: 'URL|FILE', meaning: 'where the list is', isRequired: true },
    { name: 'format', value: 'NAME', meaning: `in whose shape it is: ${FORMATS.join(', ')}`, isRequired: true },
    { name: 'provider', value: 'ID', meaning: 'whose models they are, where the shape is another’s than the provider’s' },
    { name: 'key-env', value: 'NAME', meaning: 'the variable that has the key of the source' },
    { name: 'key-file', value: 'PATH', meaning: 'the file that has the key of the source' },
  ],
  run: async ({ options }, { open, variable }) => {
    const format = findFormat(options['format'] ?? '', options['provider']);
    const deployment = await open();
    const ask = { source: options['source'] ?? '', format, keyEnv: options['key-env'], keyFile: options['key-file'] };
    const source = await readSource(ask, { variable, fetchRules: deployment.fetchRules });
    const list = readList(source.text, format);
    const changes = proposeChanges(list, await openCatalog(deployment));
    if (changes.length === 0) return { proposal: null, source: source.name, ...summarize(changes), changes };
    const row = { actor: deployment.operator, source: source.name, format: format.name, changes };
    const proposal = await addCatalogProposal(deployment.database.pool, row);
    return { proposal, source: source.name, ...summarize(changes), changes };
  },
  describe: describeProposal,
};

function findFormat(name: string, provider: string | undefined): ListFormat {
  const format = LIST_FORMATS.find((one) => one.name === name);
  if (format === undefined) throw new UsageError(`--format is one of ${FORMATS.join(', ')}.`);
  if (provider === undefined) return format;
  if (!('provider' in format))
    throw new UsageError(`--provider goes not together with the format ${name}: its lists name providers themselves.`);
  return { ...format, provider };
}
