import { createOriginalBody, type OriginalBody } from '@weir/canonical';
import { getEndpoint, type Attempt, type ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { measurePrompt, PRICED_MEMBERS } from '@weir/limits';
import { createProviderDirectory, listChoosing, type Provider, type RuledDialect } from '@weir/providers';
import { completionsFormat, wireFormats } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import { chooseEmbeddingLane } from '../embeddings/choose-embedding-lane';
import { decodeEmbeddingRequest } from '../embeddings/decode-embedding-request';
import type { EmbeddingSession } from '../embeddings/embedding-session';
import { chooseLane, findExpressLane, ruleBody } from './choose-lane';

type Body = Readonly<Record<string, unknown>>;
/** What became of a member: sent as it came, left out and reported, left out in silence, or refused by the name of a field. */
type Fate = 'sent' | 'dropped' | 'lost' | `refused: ${string}`;

function readEnv(name: string): string | undefined {
  if (/_(BASE_URL|ENDPOINT)$/.test(name)) return 'http://upstream.test';
  if (/_API_KEY$|^AWS_BEARER_TOKEN/.test(name)) return 'a-key';
  return /_PROJECT$/.test(name) ? 'a-project' : undefined;
}

const directory = createProviderDirectory({ env: readEnv, transport: () => Promise.reject(new Error('nothing is sent here')) });
const PROVIDERS = directory.known().flatMap((id): Provider[] => {
  const provider = directory.find(id);
  return provider === undefined ? [] : [provider];
});
const CHATS = PROVIDERS.filter(({ codec }) => codec !== null);
const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];
/** By their names providers choose interfaces. */
const MODELS = ['some-model', 'claude-opus-4-8', 'gpt-5', 'vendor/open-model'];
const MARK = 'a-choice-of-the-caller';
/** A value that asks for something, of every type that a member may have. */
const VALUES: readonly unknown[] = [MARK, [MARK], { inner: MARK }, [{ model: MARK }]];
const BODIES: Readonly<Record<ChatDialect, Body>> = {
  'chat-completions': { model: 'm', max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'm', max_output_tokens: 16, input: 'hi' },
  messages: { model: 'm', max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] },
};

function targetOf(provider: Provider, upstreamModel: string) {
  const attempt: Attempt = {
    ...{ modelId: upstreamModel, providerId: provider.id, upstreamModel, region: null, isByok: false, isFree: false },
    prices: { kind: 'units', version: 'v', units: {} },
  };
  const supports = { supportsDeveloperRole: true, supportsReasoning: true, supportsVision: true, supportsTools: true };
  const facts = { ...supports, supportsWebSearch: false, supportsJsonObject: true, supportsJsonSchema: true };
  return { attempt, map: { findProvider: () => provider, findModel: () => ({ id: upstreamModel, maxOutputTokens: 100, ...facts }) } };
}

function sessionOf(endpointId: string, json: Body): ChatSession {
  const text = JSON.stringify(json);
  const { dialect = 'chat-completions' } = getEndpoint(endpointId);
  const format = endpointId === 'completions' ? completionsFormat : wireFormats[dialect];
  return {
    ...{ dialect, format, body: { text, json } },
    original: (): OriginalBody => createOriginalBody(text) as OriginalBody,
    asked: () => format.decodeRequest(json),
    forwarded: { headers: {}, passport: { stream: false, isStrict: false } },
  } as unknown as ChatSession;
}

type Encoded = { readonly body: string; readonly lost: Iterable<string> };

function fateOf(name: string, encode: () => Encoded): Fate {
  try {
    const { body, lost } = encode();
    if (body.includes(MARK)) return 'sent';
    return [...lost].some((one) => one.startsWith(name)) ? 'dropped' : 'lost';
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 400) throw error;
    return `refused: ${error.details.field ?? ''}`;
  }
}

type Planted = { readonly endpointId: string; readonly member: string; readonly value: unknown };

function encodeChat(provider: Provider, model: string, { endpointId, member, value }: Planted): Encoded {
  const { attempt, map } = targetOf(provider, model);
  const { dialect = 'chat-completions' } = getEndpoint(endpointId);
  const session = sessionOf(endpointId, { ...BODIES[dialect], [member]: value });
  const { call, losses } = chooseLane(session, attempt, map);
  return { body: call.body.toString(), lost: [...losses.dropped, ...losses.approximated] };
}

/** Of these, what it may cost is held: the estimate reads them. */
function isHeld(member: string, dialect: ChatDialect): boolean {
  const [body, more] = [BODIES[dialect], { ...BODIES[dialect], [member]: [{ inner: MARK }] }];
  return JSON.stringify(measurePrompt(more, 100)) !== JSON.stringify(measurePrompt(body, 100));
}

/** Of these, what it has cost is read from the usage of the reply, where it is another price than the ordinary one. */
const READ_FROM_REPLIES: readonly string[] = ['speed', 'inference_geo'];

/** What is wrong with what became of a member, as a line to read; undefined: nothing. */
function findFault({ member, value }: Planted, fate: Fate, mayBeSent: boolean): string | undefined {
  // Fields of search are one matter with the tools that search.
  const isOk = fate === 'sent' ? mayBeSent : fate === 'dropped' || fate.startsWith(`refused: ${member}`) || fate === 'refused: tools';
  return isOk ? undefined : `${member} = ${JSON.stringify(value)}: ${fate}`;
}

describe.each(CHATS.map((provider) => [provider.id, provider] as const))('members that choose, sent to %s', (_, provider) => {
  const plantAll = (endpointId: string, dialect: ChatDialect): string[] => {
    const members = new Map([
      ...listChoosing(dialect),
      ...(provider.express?.dialect === dialect ? (provider.members?.choosing ?? []) : []),
    ]);
    const faults = MODELS.flatMap((model) =>
      [...members].flatMap(([member, { use }]) =>
        VALUES.flatMap((value) => {
          const planted = { endpointId, member, value };
          const fate = fateOf(member, () => encodeChat(provider, model, planted));
          const mayBeSent = use === 'priced' && (isHeld(member, dialect) || READ_FROM_REPLIES.includes(member));
          const fault = findFault(planted, fate, mayBeSent);
          return fault === undefined ? [] : `${model}: ${fault}`;
        }),
      ),
    );
    return faults;
  };

  it.each(DIALECTS)('are refused by name, left out and reported, or held, in %s', (dialect) => {
    expect(plantAll(dialect, dialect)).toEqual([]);
  });

  it('are so in older completions', () => {
    // Members of a search that is made with every request are said elsewhere to be lost.
    const isOfSearch = (fault: string): boolean => fault.includes('web_search_options') && fault.endsWith('lost');
    expect(plantAll('completions', 'chat-completions').filter((fault) => !isOfSearch(fault))).toEqual([]);
  });

  it.each(DIALECTS)('are no tools of %s that ask another model', (dialect) => {
    const value = [{ type: 'advisor_20260301', name: 'advisor', model: MARK }];
    for (const model of MODELS) {
      const fate = fateOf('tools', () => encodeChat(provider, model, { endpointId: dialect, member: 'tools', value }));
      expect([model, fate]).toEqual([model, expect.stringMatching(/^refused: tools/)]);
    }
  });

  it('are no tools that an item of the input brings along, and that ask another model', () => {
    const value = [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'image_generation', model: MARK }] }];
    for (const model of MODELS) {
      const fate = fateOf('input', () => encodeChat(provider, model, { endpointId: 'responses', member: 'input', value }));
      expect([model, fate]).toEqual([model, expect.stringMatching(/^refused: input\[0\]\.tools/)]);
    }
  });

  it('are passed on by no one who may charge for what no one knows', () => {
    const dialect = provider.express?.dialect;
    if (dialect === undefined) return expect(provider.express).toBeNull();
    expect(provider.members).toBeDefined();
    const fates = MODELS.map((model) =>
      fateOf('brand_new', () => encodeChat(provider, model, { endpointId: dialect, member: 'brand_new', value: MARK })),
    );
    for (const fate of fates) expect(fate === 'dropped' || (fate === 'sent' && provider.members?.passesUnknown === true)).toBe(true);
  });

  it('are ruled on in a count of tokens as in the request itself', () => {
    const dialect = provider.express?.dialect;
    if (dialect === undefined) return expect(provider.express).toBeNull();
    const { attempt, map } = targetOf(provider, 'claude-opus-4-8');
    const session = sessionOf(dialect, { ...BODIES[dialect], fallbacks: [MARK] });
    const way = findExpressLane(session, provider, { attempt, model: map.findModel() });
    if (way === undefined) return expect(provider.id).toMatch(/^azure-ai$/);
    expect(() => ruleBody(session, provider, way.cleaned)).toThrow(expect.objectContaining({ details: { field: 'fallbacks' } }));
  });
});

describe.each(PROVIDERS.filter(({ embeddings }) => embeddings !== undefined).map((provider) => [provider.id, provider] as const))(
  'members that choose, sent to %s for embeddings',
  (_, provider) => {
    it('are refused by name, or left out and reported', () => {
      const faults = [...listChoosing('embeddings').keys()].flatMap((member) =>
        VALUES.flatMap((value) => {
          const { attempt, map } = targetOf(provider, provider.id === 'vertex' ? 'text-embedding-005' : 'amazon.titan-embed-text-v2:0');
          const json = { model: 'm', input: 'hi', [member]: value };
          const session = {
            ...{ body: { text: JSON.stringify(json), json }, asked: decodeEmbeddingRequest(json) },
            forwarded: { passport: { isStrict: false } },
          } as unknown as EmbeddingSession;
          const fate = fateOf(member, () => {
            const { calls, losses } = chooseEmbeddingLane(session, attempt, map);
            return { body: calls.map(({ body }) => body.toString()).join(), lost: losses.dropped };
          });
          return findFault({ endpointId: 'embeddings', member, value }, fate, false) ?? [];
        }),
      );
      expect(faults).toEqual([]);
    });
  },
);

it('knows members that choose in every dialect', () => {
  const dialects: readonly RuledDialect[] = ['chat-completions', 'responses', 'messages', 'embeddings'];
  for (const dialect of dialects)
    expect([...listChoosing(dialect).keys()]).toEqual(expect.arrayContaining(['models', 'fallbacks', 'provider']));
  expect(Object.keys(PRICED_MEMBERS)).toEqual(expect.arrayContaining([...DIALECTS, 'embeddings']));
});
