import { createBuiltInCatalog } from '@weir/model-catalog';
import { readRepository } from './repository/read-repository';

const catalog = createBuiltInCatalog();
const HOSTS = new Set(catalog.list().map(({ id }) => id.split('/')[0]));
const QUOTED_ID = /["'`]([a-z0-9-]+\/[A-Za-z0-9][\w.:@/-]*)["'`]/g;
/** Ids that pages name on purpose though the catalogue has none of them. */
const MADE_UP: Readonly<Record<string, string>> = {
  'groq/our-model': 'an installation adds it',
  'openai/anthropic/claude-sonnet-4-5': 'aider puts the protocol before our id',
  'sandbox/other': 'what an access list is changed to',
};

describe('ids of models in pages, examples and deployments', () => {
  it('are in the catalogue', () => {
    const files = readRepository().files.filter(({ path }) => /\.md$|^(clients|docker|k8s)\/|^libs\/api-description\/src\//.test(path));
    const quoted = files.flatMap(({ path, text }) => [...text.matchAll(QUOTED_ID)].map(([, id = '']) => ({ path, id })));
    const ids = quoted.filter(({ id }) => HOSTS.has(id.split('/')[0]));

    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter(({ id }) => catalog.find(id) === undefined && MADE_UP[id] === undefined)).toEqual([]);
    for (const id of Object.keys(MADE_UP)) expect(ids.map((one) => one.id)).toContain(id);
  });
});
