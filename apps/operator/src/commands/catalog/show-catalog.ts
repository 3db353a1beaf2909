import { documentOf, type LiveCatalog } from '@weir/model-catalog';
import { UsageError, type Command } from '../command';
import { openCatalog } from '../open-catalog';

export const showCatalog: Command = {
  words: 'catalog show',
  summary: 'Shows which version is in force and what it changes, or one model as "catalog apply" takes it.',
  argument: {
    value: 'MODEL',
    meaning: 'the id of a model; absent: all that is different from the catalogue of the release',
    isOptional: true,
  },
  options: [{ name: 'document', meaning: 'the whole document, as "catalog apply --whole" takes it' }],
  run: async ({ argument, flags }, { open }) => {
    const catalog = await openCatalog(await open());
    if (argument !== undefined) return describeModel(catalog, argument);
    const document = documentOf(catalog);
    if (flags.has('document')) return document;
    return {
      version: catalog.state()?.id ?? null,
      all_models: catalog.list().length,
      own_models: document.models.map(({ id }) => id),
      removed: document.removed,
      own_providers: document.providers.map(({ id }) => id),
    };
  },
};

function describeModel(catalog: LiveCatalog, id: string): object {
  const record = catalog.find(id);
  if (record !== undefined) return withoutGaps(record);
  const isRemoved = documentOf(catalog).removed.includes(id);
  throw new UsageError(isRemoved ? `${id} is removed from the catalogue here.` : `There is no model ${id.slice(0, 200)}.`);
}

/** Absent, these read as no. */
const FLAGS: ReadonlySet<string> = new Set(['responsesOnly', 'toolsNeedResponses', 'noTemperature', 'noParallelTools']);

/** Only what is stated: the rest reads the same when the row is applied again. */
function withoutGaps(value: object): object {
  const entries = Object.entries(value).flatMap(([name, member]: [string, unknown]): (readonly [string, unknown])[] => {
    if (member === null || (member === false && FLAGS.has(name))) return [];
    if (Array.isArray(member)) return member.length === 0 ? [] : [[name, member.map(withoutGapsWithin)]];
    if (name !== 'dataPolicy' || typeof member !== 'object') return [[name, member]];
    const stated = withoutGaps(member);
    return Object.keys(stated).length === 0 ? [] : [[name, stated]];
  });
  return Object.fromEntries(entries);
}

function withoutGapsWithin(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? withoutGaps(item) : item;
}
