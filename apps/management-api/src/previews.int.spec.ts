import { createBuiltInCatalog, createPatternMatcher } from '@weir/model-catalog';
import { CHAT_MODEL } from './__fixtures__/maker';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

describe('a preview of an access list', () => {
  it('has the models and names that a list with the same patterns would let in, and keeps nothing', async () => {
    const policy = await suite.make.policy();
    const patterns = { chat: ['sandbox/*', `policy/${policy}`, 'policy/*'], embedding: ['*embedding'], image: ['nothing/*'] };
    const before = await suite.get('/v1/manage/access-list');

    const { status, json } = await suite.send('POST', '/v1/manage/access-list/preview', patterns);

    expect(status).toBe(200);
    const preview = json as unknown as { models: Record<string, string[]>; names: string[]; warnings: { entry: string }[] };
    const catalog = createBuiltInCatalog();
    const matches = createPatternMatcher(patterns.chat);
    expect(preview.models['chat']?.filter((id) => catalog.find(id) !== undefined)).toEqual(preview.models['chat']);
    expect(preview.models['chat']).toContain(CHAT_MODEL);
    expect(preview.models['chat']?.every(matches)).toBe(true);
    expect(preview.models).toMatchObject({ image: [], speech: [], transcription: [] });
    expect(preview.names).toContain(`policy/${policy}`);
    expect(preview.warnings.map(({ entry }) => entry)).toEqual(['nothing/*']);
    expect(await suite.get('/v1/manage/access-list')).toEqual(before);
  });
});

describe('trying guardrails', () => {
  const SECRET = 'My card is 4111 1111 1111 1111, write to ann@example.com.';
  const test = (body: object, headers: Record<string, string> = {}) =>
    suite.harness.call('POST', '/v1/manage/guardrail/test', { key: suite.ours.apiKey, body, headers });

  it('shows what one would do that is not there yet, and what those do that are', async () => {
    const masking = await test({ text: SECRET, guardrail: { name: 'draft', detectors: ['email'], action: 'mask' } });
    expect(masking.json).toEqual({
      outcome: 'masked',
      text: 'My card is 4111 1111 1111 1111, write to [EMAIL_1].',
      findings: [
        { guardrail: { id: null, name: 'draft' }, detector: 'email', action: 'mask', start: SECRET.indexOf('ann'), end: SECRET.length - 1 },
      ],
      not_asked: [],
    });

    const [flag, block] = [
      await suite.make.guardrail({ detectors: ['email'], action: 'flag', stage: 'output' }),
      await suite.make.guardrail({ detectors: ['card'], action: 'block', scanner_url: 'https://scanner.example/v1' }),
    ];
    const both = (await test({ text: SECRET, guardrail_ids: [flag, block] })).json;
    expect(both).toMatchObject({
      outcome: 'blocked',
      text: null,
      findings: [{ guardrail: { id: block }, detector: 'card' }],
      not_asked: [
        { guardrail: { id: flag }, reason: 'stage' },
        { guardrail: { id: block }, reason: 'scanner' },
      ],
    });
    expect((await test({ text: SECRET, stage: 'output', guardrail_ids: [flag] })).json).toMatchObject({ outcome: 'flagged', text: SECRET });
  });

  it('keeps nothing of the text, also where the caller names the request to be able to repeat it', async () => {
    const body = { text: SECRET, guardrail: { detectors: ['card'], action: 'mask' } };
    const named = { 'idempotency-key': 'try-once' };
    expect((await test(body, named)).status).toBe(200);
    // Another text under the same name would be a conflict if the first had been kept.
    expect((await test({ ...body, text: 'nothing' }, named)).json).toMatchObject({ outcome: 'passed', text: 'nothing' });
    const { rows } = await suite.harness.database.pool.query<{ count: string }>('select count(*) from idempotency_record');
    expect(rows[0]?.count).toBe('0');
  });

  it('does not reach those of another organization', async () => {
    const { apiKey } = await suite.seedOther();
    const theirs = await suite.harness.call('POST', '/v1/manage/guardrail', {
      key: apiKey,
      body: { name: 'theirs', detectors: ['email'], action: 'flag' },
    });
    const refused = await test({ text: SECRET, guardrail_ids: [String(theirs.json['id'])] });
    expect([refused.status, refused.text.includes('ann@')]).toEqual([404, false]);
  });
});

describe('a preview of settings', () => {
  const preview = (body: object) => suite.send('POST', '/v1/manage/org/preview', body);
  type ShutOut = { id: string; by: string; message: string; is_new: boolean };

  it('names what they would shut out, and why, and changes nothing', async () => {
    const before = await suite.get('/v1/manage/org');
    const { json } = await preview({ data_residency: 'eu' });
    const {
      models,
      shut_out: shutOut,
      let_in: letIn,
    } = json as unknown as {
      models: { all: number; usable_now: number; usable_then: number };
      shut_out: ShutOut[];
      let_in: unknown[];
    };

    expect(models.usable_now).toBe(models.all);
    expect(models.usable_then).toBe(models.all - shutOut.length);
    expect(shutOut.find(({ id }) => id === 'openai/gpt-4o')).toEqual({
      ...{ id: 'openai/gpt-4o', modality: 'chat', by: 'data_rules', is_new: true },
      message: expect.stringContaining('has to stay in the EU') as string,
    });
    expect(letIn).toEqual([]);
    expect(await suite.get('/v1/manage/org')).toEqual(before);
  });

  it('counts what the organization can really call, by what processes report and by its own accounts', async () => {
    const catalog = createBuiltInCatalog();
    const idsOf = (providers: readonly string[]) =>
      catalog.list().flatMap(({ id, provider }) => (providers.includes(provider) ? [id] : []));
    const described = (id: string, isSetUp: boolean) => ({ id, name: id, isSetUp, needs: [], keyWays: [], keyOptional: [] });
    const providers = [{ ...described('sandbox', true), modalities: ['chat'] }, described('openai', false), described('mistral', false)];
    const report = JSON.stringify({ atMs: Date.now(), providers, ejected: [], outcomes: [], latencies: [] });
    await suite.harness.processReports.publish('a', report, 60_000);
    try {
      const sandbox = catalog.list('chat').filter(({ provider }) => provider === 'sandbox').length;
      type Models = { all: number; callable: number; usable_now: number; usable_then: number };
      const count = async (body: object = {}) => ((await preview(body)).json as unknown as { models: Models }).models;
      expect(await count()).toEqual({ all: catalog.list().length, callable: sandbox, usable_now: sandbox, usable_then: sandbox });

      // An account at a provider that processes report, and this process does not.
      const own = await suite.make.credential();
      await suite.harness.database.pool.query("UPDATE provider_credential SET provider = 'mistral' WHERE id = $1", [own]);
      const withOwn = sandbox + idsOf(['mistral']).length;
      expect(await count()).toMatchObject({ callable: withOwn, usable_now: withOwn });
      expect(await count({ approved_models: { chat: [CHAT_MODEL] } })).toMatchObject({ usable_now: withOwn, usable_then: 1 });
    } finally {
      await suite.harness.processReports.withdraw('a');
    }
  });

  it('shows what a rule that holds keeps out, and what would be let in without it', async () => {
    await suite.send('PATCH', '/v1/manage/org', { approved_models: { chat: [CHAT_MODEL] } });
    const held = (await preview({})).json as unknown as { shut_out: ShutOut[]; models: { usable_then: number } };
    expect([held.models.usable_then, held.shut_out.some(({ is_new: isNew }) => isNew)]).toEqual([1, false]);
    const freed = (await preview({ approved_models: null })).json as unknown as { shut_out: ShutOut[]; let_in: unknown[] };
    expect([freed.shut_out, freed.let_in.length]).toEqual([[], held.shut_out.length]);
  });
});
