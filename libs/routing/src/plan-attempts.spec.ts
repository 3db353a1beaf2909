import type { OrganizationRules } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { createBuiltInCatalog, readManagedPolicies, type ModelRecord } from '@weir/model-catalog';
import { planAttempts } from './plan-attempts';
import type { OrderedPolicy, PlanTrace } from './resolve/expand-policy';
import { readRoutes } from './resolve/organization-routes';
import type { PlanAsk, RoutingMap } from './resolve/routing-map';

const catalog = createBuiltInCatalog();
const map: RoutingMap = { catalog, isRoutable: (id) => id !== 'groq' };

function rulesOf(policies: Record<string, object>, aliases: Record<string, string> = {}): OrganizationRules {
  const rule = (name: string, document: object) => ({ id: name, name, version: 1, document: document as Record<string, unknown> });
  return {
    policies: Object.entries(policies).map(([name, document]) => rule(name, document)),
    aliases: Object.entries(aliases).map(([name, model]) => rule(name, { model })),
    guardrails: [],
    limits: [],
    credentials: [],
  };
}

function plan(model: string, policies: Record<string, object> = {}, more: PlanAsk & { aliases?: Record<string, string> } = {}) {
  const { aliases, ...ask } = more;
  return planAttempts(model, 'chat', { ...map, ask: { routes: readRoutes(rulesOf(policies, aliases)), random: () => 0.5, ...ask } });
}

const idsOf = ({ attempts }: ReturnType<typeof plan>) => attempts.map(({ modelId }) => modelId);
const refusal = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error('was not refused');
};

describe('planning attempts', () => {
  it('is one attempt for a model, without a reason', () => {
    const { attempts, record } = plan('openai/gpt-4o-mini');
    expect(attempts).toEqual([expect.objectContaining({ modelId: 'openai/gpt-4o-mini', providerId: 'openai' })]);
    expect([record.id, attempts[0].why]).toEqual(['openai/gpt-4o-mini', undefined]);
  });

  it('follows an alias to a model or a policy, and names it as the reason', () => {
    const given = { aliases: { mini: 'openai/gpt-4o-mini', best: 'policy/main' } };
    expect(plan('mini', {}, given).attempts[0].why).toBe('the alias "mini"');
    const main = { main: { strategy: 'fallback', models: ['sandbox/chat', 'openai/gpt-4o-mini'] } };
    expect(idsOf(plan('best', main, given))).toEqual(['sandbox/chat', 'openai/gpt-4o-mini']);
  });

  it('gives retries after their place, and lets all places in before retries', () => {
    const models = [{ model: 'sandbox/chat', retries: 5 }, 'openai/gpt-4o-mini', { model: 'openai/gpt-4o', retries: 5 }];
    const ids = idsOf(plan('policy/p', { p: { strategy: 'fallback', models } }));
    expect(ids).toEqual([...Array<string>(6).fill('sandbox/chat'), 'openai/gpt-4o-mini', ...Array<string>(3).fill('openai/gpt-4o')]);
  });

  it('is waited for as long as its policy says, one inside another first', () => {
    const policies = {
      outer: { strategy: 'fallback', models: ['sandbox/chat', 'policy/inner'], first_content_ms: 9_000, idle_ms: 8_000 },
      inner: { strategy: 'fallback', models: [{ model: 'openai/gpt-4.1', retries: 1 }], first_content_ms: 700 },
    };
    expect(plan('policy/outer', policies).attempts.map(({ firstContentMs, idleMs }) => [firstContentMs, idleMs])).toEqual([
      [9_000, 8_000],
      [700, 8_000],
      [700, 8_000],
    ]);
    expect(plan('policy/inner', policies).attempts[0]).not.toHaveProperty('idleMs');
  });

  it('puts the members of a policy inside a policy at its place, by their own strategy', () => {
    const policies = {
      outer: { strategy: 'fallback', models: ['sandbox/chat', 'policy/inner', 'openai/gpt-4.1'] },
      inner: { strategy: 'price', models: ['openai/gpt-4o', 'openai/gpt-4o-mini'] },
    };
    const priceOf: PlanAsk['priceOf'] = ({ modelId }) => (modelId.endsWith('-mini') ? 1n : 2n);
    const planned = plan('policy/outer', policies, { priceOf });
    expect(idsOf(planned)).toEqual(['sandbox/chat', 'openai/gpt-4o-mini', 'openai/gpt-4o', 'openai/gpt-4.1']);
    expect(planned.attempts.map(({ why }) => why)).toEqual([
      'policy/outer: fallback',
      'policy/outer: fallback 1 > policy/inner: price',
      'policy/outer: fallback 1 > policy/inner: fallback 1',
      'policy/outer: fallback 2',
    ]);
  });

  it('reports members it leaves out, and why, and a policy that holds itself', () => {
    const policies = {
      p: {
        strategy: 'fallback',
        models: ['gone/model', 'openai/text-embedding-3-small', 'groq/openai/gpt-oss-20b', 'policy/p', 'sandbox/chat'],
      },
    };
    const planned = plan('policy/p', policies, {
      checkRecord: ({ id }: ModelRecord) => (id === 'openai/gpt-4o' ? new GatewayError('model_not_allowed', '') : undefined),
    });
    expect(idsOf(planned)).toEqual(['sandbox/chat']);
    expect(planned.skipped.map(({ id, code }) => `${id}: ${code}`)).toEqual([
      'gone/model: model_not_found',
      'openai/text-embedding-3-small: model_not_found',
      'groq/openai/gpt-oss-20b: provider_not_configured',
      'policy/p: model_not_found',
    ]);
  });

  it('looks at each policy once, however often policies name one another', () => {
    const models = (level: number) => Array<string>(32).fill(level === 8 ? 'sandbox/chat' : `policy/p${level + 1}`);
    const named = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => [`p${level}`, { strategy: 'weighted', models: models(level) }]);
    const policies = Object.fromEntries(named) as Record<string, object>;
    expect(idsOf(plan('policy/p1', policies))).toEqual(['sandbox/chat']);
    const gone = refusal(() =>
      plan('policy/p1', { ...policies, p8: { strategy: 'fallback', models: Array<string>(32).fill('gone/model') } }),
    );
    expect(gone.message.match(/gone/g)).toHaveLength(1);
  });

  it('takes a policy in where it is named, also when it is too deep elsewhere', () => {
    const named = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => [`p${level}`, { strategy: 'fallback', models: [`policy/p${level + 1}`] }]);
    const policies = Object.fromEntries(named) as Record<string, object>;
    const outer = { strategy: 'fallback', models: ['policy/p2', 'policy/p9'] };
    expect(idsOf(plan('policy/p1', { ...policies, p1: outer, p9: { strategy: 'fallback', models: ['sandbox/chat'] } }))).toEqual([
      'sandbox/chat',
    ]);
  });

  it('applies access rules to every member, and to what an alias stands for', () => {
    const checkRecord = ({ id }: ModelRecord) => (id.startsWith('openai/') ? new GatewayError('model_not_allowed', 'no') : undefined);
    const policies = {
      p: { strategy: 'fallback', models: ['openai/gpt-4o', 'sandbox/chat'] },
      q: { strategy: 'fallback', models: ['openai/gpt-4o', 'gone/m'] },
    };
    expect(idsOf(plan('policy/p', policies, { checkRecord }))).toEqual(['sandbox/chat']);
    const none = refusal(() => plan('policy/q', policies, { checkRecord }));
    expect([none.status, none.code]).toEqual([403, 'model_not_allowed']);
    expect(none.message).toContain('"openai/gpt-4o" (model_not_allowed), "gone/m" (model_not_found)');
    expect(refusal(() => plan('mini', {}, { checkRecord, aliases: { mini: 'openai/gpt-4o-mini' } })).code).toBe('model_not_allowed');
  });

  it('knows policies and aliases for chat only', () => {
    const routes = readRoutes(rulesOf({ p: { strategy: 'fallback', models: ['sandbox/chat'] } }, { mini: 'sandbox/chat' }));
    for (const name of ['policy/p', 'mini']) {
      expect(refusal(() => planAttempts(name, 'embedding', { ...map, ask: { routes } }))).toMatchObject({
        code: 'model_not_found',
        status: 404,
      });
    }
    expect(refusal(() => plan('policy/none')).code).toBe('model_not_found');
  });

  it('sticks to one order by the trace or the end user that a policy names', () => {
    const models = ['sandbox/chat', 'openai/gpt-4o', 'openai/gpt-4o-mini', 'openai/gpt-4.1'];
    const orderOf = (by: string, values: { trace_id: string; user_id: string }): string => {
      const policies = { p: { strategy: 'weighted', models, sticky_by: by } };
      return idsOf(plan('policy/p', policies, { stickyValue: (wanted) => values[wanted], random: Math.random })).join();
    };
    const orders = Array.from({ length: 40 }, (_, index) => orderOf('trace_id', { trace_id: `t${index % 2}`, user_id: `u${index}` }));
    expect(new Set(orders).size).toBe(2);
    expect(new Set(Array.from({ length: 20 }, (_, index) => orderOf('user_id', { trace_id: `t${index}`, user_id: 'u' }))).size).toBe(1);
  });

  it('asks a place whose route is ejected last', () => {
    const policies = { p: { strategy: 'fallback', models: ['openai/gpt-4o', 'sandbox/chat'] } };
    const health = { latencyOf: () => ({ meanMs: 0, samples: 0 }), isEjected: (route: string) => route.startsWith('openai ') };
    const planned = planAttempts('policy/p', 'chat', { ...map, health, ask: { routes: readRoutes(rulesOf(policies)) } });
    expect(idsOf(planned)).toEqual(['sandbox/chat', 'openai/gpt-4o']);
  });

  it('shows who watches how each policy was ordered and what was left out, and decides the same', () => {
    const [orders, skipped]: [unknown[], unknown[]] = [[], []];
    const policies = {
      outer: { strategy: 'fallback', models: ['policy/inner', 'groq/meta/llama-3.1-8b-instant', 'policy/none'] },
      inner: { strategy: 'weighted', models: [{ model: 'sandbox/chat', weight: 2 }, 'openai/gpt-4o', 'gone/m'] },
    };
    const trace = {
      noteOrder: ({ policyId, strategy, reason, members }: OrderedPolicy) =>
        void orders.push([policyId, strategy, reason, members.map(({ id, weight, attempt }) => `${id} ${weight} ${attempt.modelId}`)]),
      noteSkipped: ({ id, policyId, code, message }: Parameters<PlanTrace['noteSkipped']>[0]) =>
        void skipped.push([id, policyId, code, message.length > 10]),
    };
    expect(plan('policy/outer', policies, { trace })).toEqual(plan('policy/outer', policies));
    expect(orders).toEqual([
      ['policy/inner', 'weighted', 'weighted', ['sandbox/chat 2 sandbox/chat', 'openai/gpt-4o 1 openai/gpt-4o']],
      ['policy/outer', 'fallback', 'fallback', ['policy/inner 1 sandbox/chat']],
    ]);
    expect(skipped).toEqual([
      ['gone/m', 'policy/inner', 'model_not_found', true],
      ['groq/meta/llama-3.1-8b-instant', 'policy/outer', 'provider_not_configured', true],
      ['policy/none', 'policy/outer', 'model_not_found', true],
    ]);
  });

  it('finds the built-in policies, whose models there are, unless the organization has one of that name', () => {
    const managed = readManagedPolicies();
    const withManaged = { ...map, isRoutable: () => true, managed: new Map(managed.map(({ name, document }) => [name, document])) };
    for (const { name, document } of managed) {
      const planned = planAttempts(`policy/${name}`, 'chat', { ...withManaged, ask: {} });
      expect([planned.skipped, new Set(idsOf(planned)).size]).toEqual([[], document.models.length]);
    }
    const own = readRoutes(rulesOf({ 'weir-fast': { strategy: 'fallback', models: ['sandbox/chat'] } }));
    expect(idsOf(planAttempts('policy/weir-fast', 'chat', { ...withManaged, ask: { routes: own } }))).toEqual(['sandbox/chat']);
  });
});
