import { collectReply, createLossReport, NO_USAGE, type ChatEvent } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { parseJsonBody } from '@weir/http-server';
import { createProviderDirectory, type ChatCodec, type ProviderTarget } from '@weir/providers';
import { wireFormats, type ReplyContext } from '@weir/wire-formats';
import { ChatSession } from '../session/chat-session';

const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];

const directory = createProviderDirectory({ env: readEnv, transport: () => Promise.reject(new Error('nothing is sent here')) });
const PROVIDERS = directory.known().filter((id) => directory.find(id)?.codec != null);
const MODELS = ['gpt-5', 'gemini-3-pro', 'claude-sonnet-4-5', 'anthropic.claude-opus-4-6-v1', 'amazon.nova-pro-v1:0', 'command-a'];

function readEnv(name: string): string | undefined {
  if (/_(BASE_URL|ENDPOINT)$/.test(name)) return 'http://upstream.test';
  if (/_API_KEY$|^AWS_BEARER_TOKEN/.test(name)) return 'a-key';
  return /_PROJECT$/.test(name) ? 'a-project' : undefined;
}

function codecOf(provider: string): ChatCodec {
  const codec = directory.find(provider)?.codec;
  if (codec == null) throw new Error(`${provider} has no codec`);
  return codec;
}

function targetOf(upstreamModel: string): ProviderTarget {
  return {
    attempt: {
      modelId: `vendor/${upstreamModel}`,
      providerId: 'vendor',
      upstreamModel,
      region: null,
      prices: { kind: 'units', version: 'v1', units: {} },
      isByok: false,
      isFree: false,
    },
    model: {
      id: `vendor/${upstreamModel}`,
      maxOutputTokens: 4000,
      supportsDeveloperRole: true,
      supportsReasoning: true,
      supportsVision: true,
      supportsTools: true,
      supportsWebSearch: true,
      supportsJsonObject: true,
      supportsJsonSchema: true,
    },
  };
}

/** Gives out a number for each place of a body: `kind` says which. */
type Plant = (kind?: 'integer') => string;

/** Numbers that a double changes, each of them another. */
function createPlant(): { readonly plant: Plant; readonly numbers: string[] } {
  const numbers: string[] = [];
  const plant: Plant = (kind) => {
    const at = 100 + numbers.length;
    const made = kind === 'integer' || at % 3 === 0 ? `12345678901234567${at}` : at % 3 === 1 ? `0.1000000000000000${at}` : `1e${300 + at}`;
    numbers.push(made);
    return made;
  };
  return { plant, numbers };
}

/** The same with numbers that every double holds. */
function createShortPlant(): { readonly plant: Plant; readonly numbers: string[] } {
  const numbers: string[] = [];
  return {
    numbers,
    plant: () => {
      numbers.push(`7000${100 + numbers.length}`);
      return numbers.at(-1) as string;
    },
  };
}

function holds(text: string, number: string): boolean {
  const from = text.indexOf(number);
  return from !== -1 && !/[\d.eE]/.test(text[from + number.length] ?? '') && !/[\d.]/.test(text[from - 1] ?? '');
}

/** Every place of a schema that holds a number, or a value of the caller's. */
const writeSchema = (plant: Plant): string =>
  `{"type":"object","additionalProperties":false,"required":["n","o"],"properties":{"n":{"type":"number","minimum":${plant()},"maximum":${plant()},"multipleOf":${plant()},"default":${plant()},"examples":[${plant()}]},"e":{"enum":[${plant()},"x"]},"c":{"const":${plant()}},"o":{"type":"array","minItems":${plant('integer')},"items":{"anyOf":[{"type":"integer","exclusiveMaximum":${plant('integer')}},{"const":{"deep":[${plant()}]}}]}}}}`;
const writeInput = (plant: Plant): string => `{"user_id":${plant('integer')},"deep":[{"ratio":${plant()}},${plant()}]}`;
const asText = (json: string): string => JSON.stringify(json);

/** What marks a number on its way. */
const MARK = '\uf8ff';
const usage = { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1 };
const frame = (json: string): string => `data: ${json}\n\n`;

/** What each family of providers replies when a tool is called: whole, and as a stream. */
const REPLIES: Readonly<Record<string, (plant: Plant) => { readonly whole: string; readonly frames?: string }>> = {
  openai: (plant) => {
    const args = asText(writeInput(plant));
    const call = `"id":"call_1","type":"function","function":{"name":"f","arguments":${args}}`;
    return {
      whole: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{${call}}]},"finish_reason":"tool_calls"}],"usage":${JSON.stringify(usage)}}`,
      frames: `${frame(`{"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,${call}}]}}]}`)}${frame('{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}')}data: [DONE]\n\n`,
    };
  },
  /** Some servers send arguments as an object. */
  vllm: (plant) => {
    const call = `"id":"call_1","type":"function","function":{"name":"f","arguments":${writeInput(plant)}}`;
    return {
      whole: `{"id":"c","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","tool_calls":[{${call}}]},"finish_reason":"tool_calls"}],"usage":${JSON.stringify(usage)}}`,
      frames: `${frame(`{"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,${call}}]}}]}`)}${frame('{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}')}data: [DONE]\n\n`,
    };
  },
  anthropic: (plant) => {
    const input = writeInput(plant);
    const start = (block: string): string => frame(`{"type":"content_block_start","index":0,"content_block":${block}}`);
    return {
      whole: `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":${input}}],"stop_reason":"tool_use","usage":${JSON.stringify(usage)}}`,
      frames: `${frame(`{"type":"message_start","message":{"id":"msg_1","model":"m","usage":${JSON.stringify(usage)}}}`)}${start(`{"type":"tool_use","id":"toolu_1","name":"f","input":${input}}`)}${frame('{"type":"content_block_stop","index":0}')}${frame(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":${JSON.stringify(usage)}}`)}${frame('{"type":"message_stop"}')}`,
    };
  },
  'openai-responses': (plant) => {
    const item = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":${asText(writeInput(plant))},"status":"completed"}`;
    const response = `"id":"resp_1","created_at":1,"model":"m"`;
    return {
      whole: `{${response},"status":"completed","output":[${item}],"usage":${JSON.stringify(usage)}}`,
      frames: `${frame(`{"type":"response.created","response":{${response}}}`)}${frame(`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}`)}${frame(`{"type":"response.output_item.done","output_index":0,"item":${item}}`)}${frame(`{"type":"response.completed","response":{${response},"status":"completed","usage":${JSON.stringify(usage)}}}`)}`,
    };
  },
  google: (plant) => {
    const reply = `{"responseId":"g","modelVersion":"m","candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":${writeInput(plant)}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`;
    return { whole: reply, frames: frame(reply) };
  },
  bedrock: (plant) => ({
    whole: `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"tooluse_1","name":"f","input":${writeInput(plant)}}}]}},"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`,
  }),
  cohere: (plant) => ({
    whole: `{"id":"c","message":{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":${asText(writeInput(plant))}}}]},"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":1,"output_tokens":1}}}`,
  }),
};

const BODIES: Readonly<Record<ChatDialect, (plant: Plant) => string>> = {
  'chat-completions': (plant) =>
    `{"model":"m","seed":${plant('integer')},"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":${asText(writeInput(plant))}}}]},{"role":"tool","tool_call_id":"call_1","content":${asText(writeInput(plant))}}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":${writeSchema(plant)}}}],"response_format":{"type":"json_schema","json_schema":{"name":"r","schema":${writeSchema(plant)}}},"metadata":{"n":${plant()}},"x_vendor":{"n":${plant()}}}`,
  responses: (plant) =>
    `{"model":"m","input":[{"role":"user","content":"hi"},{"type":"function_call","call_id":"call_1","name":"f","arguments":${asText(writeInput(plant))}},{"type":"function_call_output","call_id":"call_1","output":${asText(writeInput(plant))}}],"tools":[{"type":"function","name":"f","parameters":${writeSchema(plant)}}],"text":{"format":{"type":"json_schema","name":"r","schema":${writeSchema(plant)}}},"metadata":{"n":${plant()}},"x_vendor":{"n":${plant()}}}`,
  messages: (plant) =>
    `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":${writeInput(plant)}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":${asText(writeInput(plant))}}]}],"tools":[{"name":"f","input_schema":${writeSchema(plant)},"input_examples":[${writeInput(plant)}]}],"output_format":{"type":"json_schema","schema":${writeSchema(plant)}},"x_vendor":{"n":${plant()}}}`,
};

/** A request as far as it is read: nothing of it is metered. */
function sessionOf(dialect: ChatDialect, text: string): ChatSession {
  const body = Buffer.from(text);
  const read = { forwarded: { body, parsed: parseJsonBody(body) }, dialect, format: wireFormats[dialect] };
  return Object.assign(Object.create(ChatSession.prototype) as object, read) as unknown as ChatSession;
}

type Asked = ReturnType<ChatSession['asked']>;

/** Undefined where the provider refuses the request. */
function encode(provider: string, asked: Asked, model: string): string | undefined {
  try {
    return codecOf(provider).encodeRequest(asked, targetOf(model), createLossReport()).body;
  } catch (error) {
    if (error instanceof GatewayError && error.status === 400) return undefined;
    throw error;
  }
}

function contextOf(dialect: ChatDialect, text: string): ReplyContext {
  const session = sessionOf(dialect, text);
  return { requestId: 'req', modelId: 'v/m', nowMs: 0, asked: session.asked(), body: session.exact };
}

describe.each(DIALECTS)('numbers that no double holds, in %s', (dialect) => {
  const long = createPlant();
  const short = createShortPlant();
  const texts = { long: BODIES[dialect](long.plant), short: BODIES[dialect](short.plant) };
  const asked = { long: sessionOf(dialect, texts.long).asked(), short: sessionOf(dialect, texts.short).asked() };

  it.each(PROVIDERS)('reach %s with every digit, wherever a short number does', (provider) => {
    let compared = 0;
    for (const model of MODELS) {
      const sent = encode(provider, asked.long, model);
      const shortSent = encode(provider, asked.short, model);
      expect(sent === undefined).toBe(shortSent === undefined);
      if (sent === undefined || shortSent === undefined) continue;
      expect(() => JSON.parse(sent) as unknown).not.toThrow();
      const due = long.numbers.filter((_, index) => holds(shortSent, short.numbers[index] as string));
      expect({ model, lost: due.filter((number) => !holds(sent, number)) }).toEqual({ model, lost: [] });
      expect(sent).not.toContain(MARK);
      compared += due.length;
    }
    expect(compared).toBeGreaterThan(10);
  });

  it.each(Object.entries(REPLIES))('come back from %s with every digit, whole and in a stream', (provider, write) => {
    const context = contextOf(dialect, texts.long);
    const priced = { usage: NO_USAGE, costUsd: '0' };
    const { plant, numbers } = createPlant();
    const { whole, frames } = write(plant);
    const codec = codecOf(provider);
    const target = targetOf('some-model');
    const said = [wireFormats[dialect].encodeReply(codec.decodeReply(whole, target), priced, context)];
    if (frames !== undefined) {
      const decoder = codec.createStreamDecoder(target);
      const events = [...decoder.push(Buffer.from(frames)), ...decoder.end()];
      const encoder = wireFormats[dialect].createStreamEncoder(context);
      said.push(events.map((event: ChatEvent) => encoder.encode(event, event.type === 'usage' ? priced : undefined)).join(''));
      said.push(wireFormats[dialect].encodeReply(collectReply(events), priced, context));
    }
    for (const text of said) {
      expect(numbers.filter((number) => !holds(text, number))).toEqual([]);
      expect(text).not.toContain(MARK);
    }
  });
});

it('are the same in what a response repeats of its request', () => {
  const { plant, numbers } = createPlant();
  const text = BODIES.responses(plant);
  const reply = collectReply([{ type: 'start', id: 'r', model: 'm', createdAtSeconds: 1 }]);
  const said = wireFormats.responses.encodeReply(reply, { usage: NO_USAGE, costUsd: '0' }, contextOf('responses', text));
  const ofConversation = 6; // is not repeated
  expect(numbers.slice(ofConversation, -1).filter((number) => !holds(said, number))).toEqual([]);
});

it('stay in what only one family of providers understands', () => {
  const { plant, numbers } = createPlant();
  const hosted = `{"model":"m","input":"hi","tools":[{"type":"file_search","vector_store_ids":["v"],"filters":{"type":"eq","key":"k","value":${plant()}}}]}`;
  const sent = encode('openai-responses', sessionOf('responses', hosted).asked(), 'gpt-5');
  expect(numbers.filter((number) => !holds(sent ?? '', number))).toEqual([]);
});
