import { createApiDocument } from '@weir/api-description';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { askList, catalog, step, type Ask, type Setting } from './__fixtures__/ask-list';

type Shown = { data: { id: string; chain?: { model: string; available: boolean }[] }[] };

const list = async (path: string, ask: Partial<Ask> = {}, setting: Setting = {}): Promise<Shown['data']> =>
  (JSON.parse(await askList({ path, ...ask }, setting)) as Shown).data;
const idsOf = async (...asked: Parameters<typeof list>) => (await list(...asked)).map(({ id }) => id);

describe('a list without a key', () => {
  it('shows what this gateway can route, and everything in the catalogue where all of it is asked for', async () => {
    const routable = catalog.list().filter(({ provider }) => provider === 'sandbox' || provider === 'groq');
    const setting = { providers: ['sandbox', 'groq'] };

    expect(await idsOf('/v1/models/all', { withKey: false }, setting)).toEqual(routable.map(({ id }) => id));
    expect(await idsOf('/v1/models/all', { withKey: false, query: { all: 'true' } }, setting)).toEqual(catalog.list().map(({ id }) => id));
    expect(await idsOf('/v1/models', { withKey: false, query: { all: 'false' } })).toEqual(
      catalog.list('chat').flatMap(({ id, provider }) => (provider === 'sandbox' ? [id] : [])),
    );
  });

  it('calls members of policies available only where this gateway can route them', async () => {
    const setting = { managed: ['weir-fast'] };
    const [shown] = await list('/v1/models/managed', { withKey: false }, setting);
    const [all] = await list('/v1/models/managed', { withKey: false, query: { all: 'true' } }, setting);

    expect(shown?.chain).toEqual([{ ...step('sandbox/chat'), available: true }]);
    expect(all?.chain?.map(({ model, available }) => [model, available])).toEqual([
      ['openai/gpt-4o', false],
      ['sandbox/chat', true],
    ]);
    expect(await list('/v1/models/managed', { withKey: false }, { ...setting, providers: [] })).toEqual([]);
  });

  it('refuses a wish for all that is neither true nor false', async () => {
    await expect(askList({ path: '/v1/models', query: { all: 'yes' } })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'all' },
    });
  });
});

describe('a list with a key', () => {
  it.each(['none', 'read', 'write'] as const)('is shown to one whose permission to infer is "%s"', async (completions) => {
    expect(await idsOf('/v1/models', {}, { completions })).toContain('sandbox/chat');
    expect(await list('/v1/models/managed', {}, { completions, managed: ['weir-fast'] })).toHaveLength(1);
    expect(JSON.parse(await askList({ path: '/v1/models/sandbox/chat' }, { completions }))).toMatchObject({ id: 'sandbox/chat' });
  });

  it("shows models that only the organization's own provider keys reach", async () => {
    expect(await idsOf('/v1/models', {}, { ownProviders: ['groq'] })).toContain('groq/openai/gpt-oss-20b');
    expect(await idsOf('/v1/models', { withKey: false }, { ownProviders: ['groq'] })).not.toContain('groq/openai/gpt-oss-20b');
  });

  it('shows with all of it no model that the key or its organization may not use', async () => {
    const setting: Setting = { chat: ['openai/*', 'sandbox/*'], mayHaveData: ({ id }) => !id.includes('gpt-4o') };
    const shown = await idsOf('/v1/models', { query: { all: 'true' } }, setting);
    const expected = catalog.list('chat').filter(({ id }) => /^(openai|sandbox)\//.test(id) && !id.includes('gpt-4o'));

    expect(shown).toEqual(expected.map(({ id }) => id));
    expect(shown).toContain('openai/gpt-4.1');
  });

  it('shows policies and aliases that an access list names, and none of the models behind them', async () => {
    const routes = {
      policies: new Map([
        ['mine', { strategy: 'fallback' as const, models: [step('openai/gpt-4o'), step('policy/inner')] }],
        ['inner', { strategy: 'fallback' as const, models: [step('sandbox/chat')] }],
      ]),
      aliases: new Map([['everyday', 'sandbox/chat']]),
    };
    const named = async (chat: readonly string[]) => [
      await idsOf('/v1/models', {}, { routes, chat }),
      (await list('/v1/models/managed', {}, { routes, chat })).map(({ chain }) => chain?.map(({ available }) => available)),
    ];

    expect(await named(['policy/mine'])).toEqual([['policy/mine'], [[false, true], [false]]]);
    expect(await named(['policy/inner'])).toEqual([
      ['policy/mine', 'policy/inner'],
      [[false, true], [true]],
    ]);
    expect(await named(['everyday'])).toEqual([['everyday'], [[false, false], [false]]]);
  });
});

describe('one model', () => {
  const read = async (id: string, setting: Setting = {}, ask: Partial<Ask> = {}) =>
    JSON.parse(await askList({ path: `/v1/models/${id}`, ...ask }, setting)) as { id: string };

  it('is found by its id, encoded or not, and by the name that its vendor gives it', async () => {
    const setting = { providers: ['openai', 'anthropic'] };
    expect((await read('openai/gpt-4o', setting)).id).toBe('openai/gpt-4o');
    expect((await read('openai%2Fgpt-4o', setting)).id).toBe('openai/gpt-4o');
    expect((await read('gpt-4o', setting)).id).toBe('openai/gpt-4o');
    expect((await read('claude-sonnet-4-5[1m]', setting, { withKey: false })).id).toBe('anthropic/claude-sonnet-4-5');
    expect((await read('text-embedding-3-small', setting)).id).toBe('openai/text-embedding-3-small');
    expect((await read('openai/gpt-4o', {}, { query: { all: 'true' } })).id).toBe('openai/gpt-4o');
  });

  it.each<[string, Setting, string]>([
    ['sandbox/caht', {}, 'Did you mean "sandbox/chat"'],
    ['openai/gpt-4o', {}, 'OPENAI_API_KEY is not set'],
    ['sandbox/chat', { chat: [] }, '"sandbox/chat" is not known to this API key'],
    ['policy/weir-fast', { managed: ['weir-fast'], chat: [] }, 'None of the models of "policy/weir-fast"'],
  ])('is not found, with the reason: %s', async (id, setting, reason) => {
    await expect(read(id, setting)).rejects.toMatchObject({ code: 'model_not_found', message: expect.stringContaining(reason) as string });
  });

  it('is refused where its name is ambiguous or cannot be read', async () => {
    await expect(read('gpt-oss-20b', { providers: ['groq', 'ovhcloud'] })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(read('%E0%A4%A', {})).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a list for clients whose lists have pages', () => {
  const headers = { 'anthropic-version': '2023-06-01' };
  type Page = {
    data: { id: string; created_at: string; display_name: string }[];
    has_more: boolean;
    first_id: string | null;
    last_id: string | null;
  };
  const setting: Setting = { providers: ['anthropic', 'openai'] };
  const page = async (query: Record<string, string> = {}, path = '/v1/models'): Promise<Page> =>
    JSON.parse(await askList({ path, headers, query }, setting)) as Page;

  it('has the newest models first, twenty on a page', async () => {
    const { data, has_more: hasMore, first_id: first, last_id: last } = await page();
    const dates = data.map(({ created_at: date }) => date);

    expect([data.length, hasMore, first, last]).toEqual([20, true, data[0]?.id, data[19]?.id]);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(dates[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('is walked in both directions without a gap or a repeat', async () => {
    const whole = (await page({ limit: '1000' })).data.map(({ id }) => id);
    const forwards: string[] = [];
    for (let at = await page({ limit: '7' }); ; at = await page({ limit: '7', after_id: at.last_id ?? '' })) {
      forwards.push(...at.data.map(({ id }) => id));
      if (!at.has_more) break;
    }
    const backwards: string[] = [];
    for (
      let at = await page({ limit: '7', before_id: whole.at(-1) ?? '' });
      ;
      at = await page({ limit: '7', before_id: at.first_id ?? '' })
    ) {
      backwards.unshift(...at.data.map(({ id }) => id));
      if (!at.has_more) break;
    }

    expect(new Set(whole)).toEqual(
      new Set(catalog.list('chat').flatMap(({ id, provider }) => (setting.providers?.includes(provider) === true ? [id] : []))),
    );
    expect(forwards).toEqual(whole);
    expect(backwards).toEqual(whole.slice(0, -1));
    expect(await page({ after_id: whole.at(-1) ?? '' })).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });

  it.each([
    { limit: '0' },
    { limit: '1001' },
    { limit: 'x' },
    { after_id: 'none' },
    { before_id: 'none' },
    { after_id: 'a', before_id: 'b' },
  ])('refuses %j', async (query) => {
    await expect(page(query as unknown as Record<string, string>)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('names models for people, with what distinguishes them', async () => {
    const { data } = await page({ limit: '1000', all: 'true' });
    const names = new Map(data.map(({ id, display_name: name }) => [id, name]));

    expect(names.get('anthropic/claude-sonnet-4-5-20250929')).toBe('Claude Sonnet 4.5 (20250929)');
    expect(names.get('azure/anthropic/claude-haiku-4-5')).toBe('Claude Haiku 4.5 (azure)');
    expect(JSON.parse(await askList({ path: '/v1/models/claude-sonnet-4-5', headers }, setting))).toMatchObject({
      ...{ type: 'model', id: 'anthropic/claude-sonnet-4-5', display_name: 'Claude Sonnet 4.5' },
      ...{ max_input_tokens: 200_000, lifecycle: 'active' },
    });
  });
});

describe('every record of every list', () => {
  const document = createApiDocument({ replies: 'closed' });
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  const problemsOf = (schema: string, text: string): string[] => {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` });
    return validate(JSON.parse(text)) ? [] : [ajv.errorsText(validate.errors).slice(0, 500)];
  };

  it.each([
    ['/v1/models', 'ModelList', {}],
    ['/v1/models/all', 'ModelList', {}],
    ['/v1/models/managed', 'ManagedPolicies', {}],
    ['/v1/models/all', 'MessagesModelPage', { 'anthropic-version': '2023-06-01' }],
  ])('has the types that the interface describes: %s as %s', async (path, schema, headers) => {
    const routes = {
      policies: new Map([
        [
          'all',
          {
            strategy: 'fallback' as const,
            models: catalog
              .list('chat')
              .slice(0, 900)
              .map(({ id }) => step(id)),
          },
        ],
      ]),
      aliases: new Map(catalog.list('chat').map(({ id }) => [`alias/${id}`, id])),
    };
    const setting = { routes, managed: ['weir-fast'], ownProviders: [...new Set(catalog.list().map(({ provider }) => provider))] };
    for (const withKey of [true, false]) {
      const text = await askList({ path, headers, withKey, query: { all: 'true', limit: '1000' } }, setting);
      expect(text.length).toBeGreaterThan(300);
      expect(problemsOf(schema, text)).toEqual([]);
      if (schema === 'ModelList') expect(text.replaceAll('"sticky_by":null', '')).not.toContain(':null');
    }
  });

  it('is found by its id', async () => {
    const providers = [...new Set(catalog.list().map(({ provider }) => provider))];
    for (const { id } of catalog.list().filter((_, index) => index % 10 === 0)) {
      expect(problemsOf('Model', await askList({ path: `/v1/models/${id}` }, { providers }))).toEqual([]);
    }
  });
});
