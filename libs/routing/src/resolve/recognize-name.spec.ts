import type { OrganizationRules } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { createBuiltInCatalog, readManagedPolicies } from '@weir/model-catalog';
import { planAttempts } from '../plan-attempts';
import type { PlanAsk, RoutingMap } from './routing-map';
import { readRoutes } from './organization-routes';

const catalog = createBuiltInCatalog();
const managed = new Map(readManagedPolicies().map(({ name, document }) => [name, document]));
const mapOf = (...providers: string[]): RoutingMap => ({
  catalog,
  managed,
  isRoutable: (id) => providers.includes(id),
  settingsOf: (id) => `${id.toUpperCase()}_API_KEY`,
});
const rulesOf = (aliases: Record<string, string>): OrganizationRules => ({
  ...{ policies: [], guardrails: [], limits: [], credentials: [] },
  aliases: Object.entries(aliases).map(([name, model]) => ({ id: name, name, version: 1, document: { model } })),
});
const only = (allows: (id: string) => boolean): PlanAsk => ({
  checkRecord: ({ id }) => (allows(id) ? undefined : new GatewayError('model_not_allowed', `not "${id}"`)),
});

type Asked = PlanAsk & { readonly on: readonly string[]; readonly modality?: 'chat' | 'embedding' | 'image' };

function plan(name: string, { on, modality = 'chat', ...ask }: Asked) {
  return planAttempts(name, modality, { ...mapOf(...on), ask });
}

function refusal(name: string, asked: Asked): GatewayError {
  try {
    plan(name, asked);
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error(`${name} was not refused`);
}

describe("a vendor's own name for a model", () => {
  it.each([
    ['gpt-4o', 'openai/gpt-4o'],
    ['gpt-4o-2024-08-06', 'openai/gpt-4o-2024-08-06'],
    ['gpt-5-codex', 'openai-responses/gpt-5-codex'],
    ['gpt-5.1-codex', 'openai-responses/gpt-5.1-codex'],
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5-20250929'],
    ['claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5-20251001'],
    ['gemini-2.5-pro', 'google/gemini-2.5-pro'],
  ])("goes to the vendor's own provider where several serve it: %s", (name, id) => {
    const everything = ['openai', 'openai-responses', 'anthropic', 'google', 'azure', 'bedrock', 'vertex', 'deepinfra'];
    const { attempts, requested, record } = plan(name, { on: everything });
    expect([attempts.map(({ modelId }) => modelId), requested, record.id]).toEqual([[id], id, id]);
  });

  it('means the model behind the responses interface for requests that came by it', () => {
    const on = ['openai', 'openai-responses', 'azure'];
    expect(plan('gpt-5', { on, prefersResponses: true }).requested).toBe('openai-responses/gpt-5');
    expect(plan('gpt-4o-mini', { on, prefersResponses: true }).requested).toBe('openai-responses/gpt-4o-mini');
    expect(plan('gpt-5', { on }).requested).toBe('openai/gpt-5');
    expect(plan('claude-haiku-4-5', { on: ['anthropic'], prefersResponses: true }).requested).toBe('anthropic/claude-haiku-4-5');
  });

  it.each([
    ['gpt-4o', 'azure', 'azure/openai/gpt-4o'],
    ['claude-sonnet-4-5-20250929', 'bedrock', 'bedrock/anthropic/claude-sonnet-4-5-20250929'],
    // The same model under another name, with a date or without.
    ['claude-sonnet-4-5', 'bedrock', 'bedrock/anthropic/claude-sonnet-4-5-20250929'],
    ['claude-haiku-4-5-20251001', 'azure-ai', 'azure/anthropic/claude-haiku-4-5'],
    ['text-embedding-3-large', 'azure', 'azure/openai/text-embedding-3-large'],
  ])('goes to the only provider that serves it: %s at %s', (name, provider, id) => {
    const modality = name.startsWith('text-') ? 'embedding' : 'chat';
    expect(plan(name, { on: [provider, 'sandbox'], modality }).requested).toBe(id);
  });

  it('is refused with the choices where several other providers serve it, those that the caller may use', () => {
    const on = ['azure', 'vertex', 'bedrock'];
    const ambiguous = refusal('claude-sonnet-4-5-20250929', { on });
    expect([ambiguous.status, ambiguous.details.field]).toEqual([400, 'model']);
    expect(ambiguous.message).toContain('"bedrock/anthropic/claude-sonnet-4-5-20250929", "vertex/anthropic/claude-sonnet-4-5-20250929"');
    expect(ambiguous.message).not.toContain('bedrock-us/');
    const allowed = plan('claude-sonnet-4-5-20250929', { on, ...only((id) => id.startsWith('vertex/')) });
    expect(allowed.requested).toBe('vertex/anthropic/claude-sonnet-4-5-20250929');
  });

  it('goes elsewhere where the caller may not use the vendor’s own provider', () => {
    const on = ['anthropic', 'vertex', 'bedrock'];
    const name = 'claude-sonnet-4-5-20250929';
    const atVertex = plan(name, { on, ...only((id) => id.startsWith('vertex/')) });
    expect(atVertex.requested).toBe('vertex/anthropic/claude-sonnet-4-5-20250929');
    const ambiguous = refusal(name, { on, ...only((id) => !id.startsWith('anthropic/')) });
    expect([ambiguous.code, ambiguous.message]).toEqual(['invalid_request', expect.not.stringContaining('"anthropic/')]);
    expect(refusal(name, { on, ...only(() => false) }).code).toBe('model_not_allowed');
  });

  it("gives way to an organization's alias of that name", () => {
    const aliased = plan('gpt-4o', { on: ['openai', 'sandbox'], routes: readRoutes(rulesOf({ 'gpt-4o': 'sandbox/chat' })) });
    expect([aliased.requested, aliased.record.id, aliased.attempts[0].why]).toEqual(['gpt-4o', 'sandbox/chat', 'the alias "gpt-4o"']);
  });

  it('is subject to the rules about the model that it stands for', () => {
    expect(refusal('gpt-4o', { on: ['openai'], ...only((id) => id.startsWith('azure/')) })).toMatchObject({
      code: 'model_not_allowed',
      message: 'not "openai/gpt-4o"',
    });
  });

  it('says which setting is missing where nothing that serves it is set up, and where else the model is', () => {
    expect(refusal('gpt-4o', { on: ['sandbox'] })).toMatchObject({
      ...{ code: 'provider_not_configured', status: 404 },
      message: 'The provider of the model "openai/gpt-4o" is not set up in this gateway: OPENAI_API_KEY is not set.',
    });
    expect(refusal('openai/gpt-4o', { on: ['azure'] }).message).toContain('OPENAI_API_KEY is not set. Did you mean "azure/openai/gpt-4o"?');
  });

  it('is refused by an endpoint of another kind of model', () => {
    expect(refusal('gpt-image-1', { on: ['openai'] })).toMatchObject({
      code: 'model_not_found',
      message: 'The model "openai/gpt-image-1" is for image; this endpoint serves chat models.',
    });
  });
});

describe('the suffix of a name that asks for a long context', () => {
  it.each(['claude-sonnet-4-5[1m]', 'anthropic/claude-sonnet-4-5[1m]', 'claude-sonnet-4-5[1M]'])(
    'asks for a preview feature: %s',
    (name) => {
      expect(plan(name, { on: ['anthropic'] })).toMatchObject({
        requested: 'anthropic/claude-sonnet-4-5',
        beta: 'context-1m-2025-08-07',
      });
    },
  );

  it('goes with aliases of such models and with policies, and with no other model', () => {
    const routes = readRoutes(rulesOf({ big: 'anthropic/claude-sonnet-4-5', small: 'sandbox/chat' }));
    const on = ['anthropic', 'openai', 'sandbox'];
    expect(plan('big[1m]', { on, routes })).toMatchObject({ requested: 'big', beta: 'context-1m-2025-08-07' });
    expect(plan('policy/weir-fast[1m]', { on }).beta).toBe('context-1m-2025-08-07');
    expect(['small[1m]', 'gpt-4o[1m]', 'none[1m]'].map((name) => refusal(name, { on, routes }).code)).toEqual(
      Array<string>(3).fill('model_not_found'),
    );
    expect(plan('claude-sonnet-4-5', { on }).beta).toBeNull();
  });
});

describe('a name that stands for nothing', () => {
  const on = ['anthropic', 'openai', 'openai-responses', 'sandbox'];
  const suggested = (name: string, more: Partial<Asked> = {}): string[] => {
    const { message } = refusal(name, { on, ...more });
    return [...(/Did you mean (.*?)\?/.exec(message)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, id = '']) => id);
  };

  it.each([
    ['sandbox/caht', 'sandbox/chat'],
    ['gpt4o', 'openai/gpt-4o'],
    ['openai/gpt-4o-mni', 'openai/gpt-4o-mini'],
    ['claude-3-5-haiku-20241022', 'anthropic/claude-haiku-4-5'],
    ['anthropic/claude-opus-4.5', 'anthropic/claude-opus-4-5'],
    ['policy/weir-fats', 'policy/weir-fast'],
  ])('is refused with near names: %s', (name, near) => {
    const names = suggested(name);
    expect(names).toContain(near);
    expect(names.length).toBeLessThanOrEqual(3);
  });

  it('is refused with names that this caller can use, aliases and policies among them', () => {
    const routes = readRoutes(rulesOf({ everyday: 'sandbox/chat', everydate: 'groq/openai/gpt-oss-20b' }));
    expect(suggested('everyday-', { routes })).toEqual(['everyday']);
    const ids = suggested(
      'claude-opus-4-1-20250805',
      only((id) => !id.includes('opus')),
    );
    expect(ids.every((id) => !id.includes('opus'))).toBe(true);
    expect(suggested('claude-opus-4-1-20250805')[0]).toMatch(/^anthropic\/claude-opus-4/);
    expect(suggested('gpt-4o-mni', { on: ['sandbox'] })).toEqual([]);
  });

  it('is refused without any where none is near, however long it is', () => {
    for (const name of ['something/else-entirely', '', '/', 'x'.repeat(100_000)]) {
      const { code, message } = refusal(name, { on });
      expect([code, message.includes('Did you mean'), message.length < 400]).toEqual(['model_not_found', false, true]);
    }
  });
});

describe('names in access rules', () => {
  const member = { model: 'sandbox/chat', weight: 1, retries: 0 };
  const policy = (model: string) => ({ strategy: 'fallback' as const, models: [{ ...member, model }] });
  const asked = (name: string) => {
    const names: (readonly string[])[] = [];
    const checkRecord: PlanAsk['checkRecord'] = (_record, led) => void names.push(led);
    const policies = new Map([
      ['outer', policy('policy/inner')],
      ['inner', policy('sandbox/chat')],
    ]);
    planAttempts(name, 'chat', {
      ...mapOf('sandbox'),
      ask: { checkRecord, routes: { policies, aliases: new Map([['mine', 'policy/outer']]) } },
    });
    return [...new Set(names.flat())];
  };

  it('are those that led to a model: the one asked for, what it stands for, and the policy that holds the model', () => {
    expect(asked('sandbox/chat')).toEqual([]);
    expect(asked('policy/inner')).toEqual(['policy/inner']);
    expect(asked('mine')).toEqual(['mine', 'policy/outer', 'policy/inner']);
  });
});
