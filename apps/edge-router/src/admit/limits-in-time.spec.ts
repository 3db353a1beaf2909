import { makeLimit, openLimitedEdge } from './__fixtures__/limited-edge';

const CHAT = { model: 'openai/gpt-4o-mini', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
const EMBEDDING = { model: 'openai/text-embedding-3-small', input: 'hi' };

type Edge = ReturnType<typeof openLimitedEdge>;
type Asked = Parameters<Edge['admit']>[0];

const chat = (model: string): Asked => ({ body: { ...CHAT, model } });
const embed: Asked = { endpoint: 'embeddings', body: EMBEDDING };

async function send(edge: Edge, asked: Asked = chat(CHAT.model)): Promise<string> {
  const { admission, refusal } = await edge.admit(asked);
  if (refusal !== null) return refusal.code;
  return admission?.passport.hold === null ? 'not counted' : 'counted';
}

describe('a limit of a part', () => {
  const mini = chat('openai/gpt-4o-mini');
  const claude = chat('anthropic/claude-sonnet-4-5');
  it.each([
    ['one model', { models: ['openai/gpt-4o-mini'] }, mini, chat('openai/gpt-4o')],
    ['models by a pattern', { models: ['openai/gpt-4*'] }, chat('openai/gpt-4.1'), claude],
    ['models by one of several patterns', { models: ['cohere/*', '*/claude-*'] }, claude, mini],
    ['one provider', { providers: ['anthropic'] }, claude, mini],
    ['providers by a pattern', { providers: ['open*'] }, mini, claude],
    ['one modality', { modalities: ['embedding' as const] }, embed, mini],
    ['a model and a provider that both have to fit', { models: ['openai/*'], providers: ['openai'] }, mini, claude],
    ['a provider in one modality', { providers: ['openai'], modalities: ['chat' as const] }, mini, embed],
  ])('%s: counts that, and nothing else', async (_, filters, inside, outside) => {
    const edge = openLimitedEdge({ limits: [makeLimit('part', { ...filters, amount: '1', window: 'hour' })] });
    for (let times = 0; times < 2; times += 1) expect(await send(edge, outside)).toBe('not counted');
    expect([await send(edge, inside), await send(edge, inside)]).toEqual(['counted', 'rate_limited']);
    expect(await send(edge, outside)).toBe('not counted');
  });
});

describe('a limit by the calendar of the organization', () => {
  const open = (timeZone: string, window: 'hour' | 'day' | 'week' | 'month' | '24h'): Edge =>
    openLimitedEdge({ limits: [makeLimit('one', { amount: '1', window })], organization: { timeZone } });
  const at = (edge: Edge, time: string): Promise<string> => {
    edge.state.atMs = Date.parse(time);
    return send(edge);
  };

  it.each([
    ['midnight in winter', 'Europe/Berlin', 'day', '2026-11-23T23:00:00Z', '2026-11-24T22:59:59.999Z', '2026-11-24T23:00:00Z'],
    ['midnight of another half hour', 'Asia/Kolkata', 'day', '2026-11-23T18:30:00Z', '2026-11-24T18:29:59.999Z', '2026-11-24T18:30:00Z'],
    ['hours of it', 'Asia/Kolkata', 'hour', '2026-11-24T09:30:00Z', '2026-11-24T10:29:59.999Z', '2026-11-24T10:30:00Z'],
    ['a Monday', 'America/New_York', 'week', '2026-11-23T05:00:00Z', '2026-11-30T04:59:59.999Z', '2026-11-30T05:00:00Z'],
    ['the first of a month', 'Pacific/Auckland', 'month', '2026-10-31T11:00:00Z', '2026-11-30T10:59:59.999Z', '2026-11-30T11:00:00Z'],
    ['a day of 25 hours', 'Europe/Berlin', 'day', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00Z'],
    ['a day of 23 hours', 'Europe/Berlin', 'day', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00Z'],
    ['the hour that comes twice', 'Europe/Berlin', 'hour', '2026-10-25T00:00:00Z', '2026-10-25T00:59:59.999Z', '2026-10-25T01:00:00Z'],
    ['the hour that is left out', 'Europe/Berlin', 'hour', '2026-03-29T00:00:00Z', '2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00Z'],
  ] as const)('%s begins and ends the window', async (_, zone, window, first, last, next) => {
    const edge = open(zone, window);
    const isWaitedFor = window === 'hour' || window === 'day';
    expect(await at(edge, first)).toBe('counted');
    expect(await at(edge, last)).toBe(isWaitedFor ? 'rate_limited' : 'limit_reached');
    expect([await at(edge, next), await at(edge, next)]).toEqual(['counted', isWaitedFor ? 'rate_limited' : 'limit_reached']);
  });

  it('says when it frees, and how long that is', async () => {
    const edge = open('Europe/Berlin', 'day');
    await at(edge, '2026-10-25T00:30:00Z');
    const { refusal } = await edge.admit(chat(CHAT.model));
    expect(refusal?.details).toMatchObject({
      retryAfterSeconds: 22.5 * 3_600,
      limit: { frees_at: '2026-10-25T23:00:00.000Z', window: 'day' },
    });
  });

  it('counts a request where it was admitted, also when it ends after midnight', async () => {
    const edge = open('Europe/Berlin', 'day');
    edge.state.atMs = Date.parse('2026-11-24T22:59:59Z');
    const { admission } = await edge.admit(chat(CHAT.model));
    edge.state.atMs = Date.parse('2026-11-24T23:00:01Z');
    expect(await send(edge)).toBe('counted');
    const { id = '', scopes = [] } = admission?.passport.hold ?? {};
    await edge.store.settle({ organizationId: edge.principal.key.organizationId, holdId: id, scopes, spent: [1n] });
    expect(await send(edge)).toBe('rate_limited');
    expect(scopes.map((scope) => scope.split('@')[1])).toEqual([String(Date.parse('2026-11-23T23:00:00Z') / 1000)]);
  });

  it('rolls over 24 hours whatever clocks do, by steps of an hour', async () => {
    const edge = open('Europe/Berlin', '24h');
    expect(await at(edge, '2026-10-24T12:10:00Z')).toBe('counted');
    expect(await at(edge, '2026-10-25T12:59:59Z')).toBe('rate_limited');
    expect(await at(edge, '2026-10-25T13:00:00Z')).toBe('counted');
  });

  it('begins anew at the boundary of another zone', async () => {
    const edge = open('UTC', 'day');
    expect([await at(edge, '2026-11-24T23:30:00Z'), await at(edge, '2026-11-24T23:30:00Z')]).toEqual(['counted', 'rate_limited']);
    const { key } = edge.principal;
    Object.assign(edge.principal, { key: { ...key, organization: { ...key.organization, timeZone: 'Europe/Berlin' } } });
    expect([await at(edge, '2026-11-24T23:31:00Z'), await at(edge, '2026-11-25T00:00:00Z')]).toEqual(['counted', 'rate_limited']);
  });
});
