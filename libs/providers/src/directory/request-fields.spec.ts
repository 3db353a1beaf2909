import {
  createLossReport,
  isFieldAsked,
  PLAIN_FIELDS,
  REQUEST_FIELDS,
  type ChatRequest,
  type ChatTurn,
  type PlainField,
  type PlainFieldId,
  type RequestFieldId,
} from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { buildRequest, buildTarget } from '../__fixtures__/build-target';
import { createProviderDirectory } from './provider-directory';

/** A request without the field, and what to add to it. */
type Sample = { readonly base?: Partial<ChatRequest>; readonly more: Partial<ChatRequest> };

const tools: ChatRequest['tools'] = [{ kind: 'function', name: 'f', parameters: { type: 'object', properties: {} } }];

function conversation(reply: ChatTurn['content'][number]): Partial<ChatRequest> {
  const user: ChatTurn = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
  return { turns: [user, { role: 'assistant', content: [reply] }, user] };
}

const CITED = conversation({ type: 'text', text: 'a', citations: [{ url: 'https://example.org', title: 't', citedText: 'a' }] });

/** Which model is called is said by the attempt and not by the request; plain fields have samples by their type. */
const SAMPLES: Readonly<Record<Exclude<RequestFieldId, PlainFieldId | 'model'>, Sample>> = {
  turns: { more: conversation({ type: 'text', text: 'a' }) },
  stream: { more: { stream: true } },
  stop: { more: { stop: ['END'] } },
  logitBias: { more: { logitBias: { '5': -1 } } },
  topLogprobs: { more: { topLogprobs: 3 } },
  tools: { more: { tools } },
  toolChoice: { base: { tools }, more: { toolChoice: { kind: 'required' } } },
  hasParallelTools: { base: { tools }, more: { hasParallelTools: false } },
  responseFormat: { more: { responseFormat: { kind: 'json-schema', schema: { type: 'object' } } } },
  reasoning: { more: { reasoning: { effort: 'high' } } },
  autoCache: { more: { autoCache: {} } },
  unmapped: { more: { unmapped: { odd_field: true } } },
  citations: { base: conversation({ type: 'text', text: 'a' }), more: CITED },
};

/** Names of losses beside the field's own. */
const OTHER_NAMES: Readonly<Partial<Record<RequestFieldId, readonly string[]>>> = {
  topLogprobs: ['top_logprobs'],
  unmapped: ['odd_field'],
};

function plainValue({ value }: PlainField): number | string {
  if (value.type === 'string') return 'sample';
  return value.isInteger === true ? (value.min ?? 0) + 1 : 0.25;
}

const PLAIN = (Object.entries(PLAIN_FIELDS) as [PlainFieldId, PlainField][]).map(([id, field]) => ({
  id,
  base: {},
  more: { [id]: plainValue(field) } as Partial<ChatRequest>,
  value: plainValue(field),
}));
const STRUCTURED = (Object.entries(SAMPLES) as [Exclude<RequestFieldId, 'model'>, Sample][]).map(([id, { base = {}, more }]) => ({
  id,
  base,
  more,
  value: undefined,
}));
type Case = (typeof PLAIN)[number] | (typeof STRUCTURED)[number];

function readEnv(name: string): string | undefined {
  if (/_(BASE_URL|ENDPOINT)$/.test(name)) return 'http://upstream.test';
  if (/_API_KEY$|^AWS_BEARER_TOKEN/.test(name)) return 'a-key';
  return /_PROJECT$/.test(name) ? 'a-project' : undefined;
}

const directory = createProviderDirectory({ env: readEnv, transport: () => Promise.reject(new Error('nothing is sent here')) });
const PROVIDERS = directory.known().filter((id) => directory.find(id)?.codec != null);
/** By their names codecs choose interfaces, generations of models and the words of their makers. */
const MODELS = [
  ...['some-model', 'gpt-5', 'gemini-3-pro', 'gemini-2.5-pro', 'claude-opus-4-8', 'claude-sonnet-4-5', 'claude-3-haiku'],
  ...['mistral-large', 'meta/llama-4', 'anthropic.claude-opus-4-8', 'anthropic.claude-sonnet-4-5-v1:0', 'amazon.nova-pro-v1:0'],
  ...['cohere.command-r-v1:0', 'meta.llama3-70b', 'openai.gpt-oss-120b'],
];
const TARGETS = MODELS.flatMap((model) => [true, false].map((supportsReasoning) => buildTarget(model, { supportsReasoning })));

type Outcome = { readonly sent: string; readonly lost: readonly string[]; readonly refused: string | undefined };

function encode(provider: string, target: (typeof TARGETS)[number], request: ChatRequest): Outcome {
  const losses = createLossReport();
  try {
    const call = directory.find(provider)?.codec?.encodeRequest(request, target, losses);
    return { sent: `${call?.path ?? ''} ${call?.body ?? ''}`, lost: [...losses.dropped, ...losses.approximated], refused: undefined };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'unsupported_field') throw error;
    return { sent: '', lost: [], refused: error.details.field };
  }
}

/** Undefined where the field is sent, named as lost, or refused by its name. */
function findSilentLoss(provider: string, target: (typeof TARGETS)[number], { id, base, more, value }: Case): string | undefined {
  const without = encode(provider, target, buildRequest(base));
  const { sent, lost, refused } = encode(provider, target, buildRequest({ ...base, ...more }));
  const names = [REQUEST_FIELDS[id].name, ...(OTHER_NAMES[id] ?? [])];
  if (names.some((name) => name === refused || lost.includes(name))) return undefined;
  const isSent = sent !== without.sent && (value === undefined || sent.includes(JSON.stringify(value)));
  return isSent ? undefined : `${id} with ${target.attempt.upstreamModel}`;
}

it('has samples that ask for something', () => {
  expect([...PLAIN, ...STRUCTURED].filter(({ id, more }) => !isFieldAsked(buildRequest(more), id))).toEqual([]);
  expect(PROVIDERS).toEqual(expect.arrayContaining(['openai', 'bedrock', 'bedrock-mantle', 'vertex', 'cohere', 'google', 'sandbox']));
});

it.each(PROVIDERS)('%s sends, reports as lost or refuses every field of a request', (provider) => {
  const silent = TARGETS.flatMap((target) => [...PLAIN, ...STRUCTURED].flatMap((sample) => findSilentLoss(provider, target, sample) ?? []));

  expect(silent).toEqual([]);
});
