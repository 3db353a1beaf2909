import { collectReply, createLossReport, type ChatEvent, type ChatReply, type ChatRequest, type ContentBlock } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createProviderDirectory, type ChatCodec, type ProviderTarget } from '@weir/providers';
import { createSampleEvents } from '@weir/testing';
import { wireFormats, type ReplyContext } from '@weir/wire-formats';
import fc from 'fast-check';
import { arbitraryRequest } from './__fixtures__/arbitrary-requests';

const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];
/** Who speaks each dialect. */
const SPEAKER: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': 'openai',
  responses: 'openai-responses',
  messages: 'anthropic',
};

const directory = createProviderDirectory({ env: readEnv, transport: () => Promise.reject(new Error('nothing is sent here')) });
const PROVIDERS = directory.known().filter((id) => directory.find(id)?.codec != null);

function readEnv(name: string): string | undefined {
  if (/_(BASE_URL|ENDPOINT)$/.test(name)) return 'http://upstream.test';
  if (/_API_KEY$/.test(name)) return 'a-key';
  return /_PROJECT$/.test(name) ? 'a-project' : undefined;
}

function codecOf(provider: string): ChatCodec {
  const codec = directory.find(provider)?.codec;
  if (codec == null) throw new Error(`${provider} has no codec`);
  return codec;
}

const MODELS = [
  'some-model',
  'claude-sonnet-4-5',
  'gemini-3-pro',
  'gpt-5',
  'anthropic.claude-opus-4-6-v1',
  'amazon.nova-pro-v1:0',
  'command-a',
];

function targetOf(upstreamModel: string, isCapable = true): ProviderTarget {
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
      maxOutputTokens: isCapable ? 4000 : null,
      supportsDeveloperRole: isCapable,
      supportsReasoning: isCapable,
      supportsVision: isCapable,
      supportsTools: isCapable,
      supportsWebSearch: isCapable,
      supportsJsonObject: isCapable,
      supportsJsonSchema: isCapable,
    },
  };
}

describe.each(DIALECTS)('valid %s requests', (dialect) => {
  const format = wireFormats[dialect];

  it('are taken, and said to every provider or refused with the field at fault: never a fault of ours', () => {
    expect(PROVIDERS.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(arbitraryRequest(dialect), fc.constantFrom(...MODELS), fc.boolean(), (body, model, isCapable) => {
        for (const provider of PROVIDERS) {
          const target = targetOf(model, isCapable);
          try {
            const call = codecOf(provider).encodeRequest(format.decodeRequest(structuredClone(body)), target, createLossReport());
            expect(() => JSON.parse(call.body) as unknown).not.toThrow();
          } catch (error) {
            if (!(error instanceof GatewayError)) throw error;
            expect({ provider, status: error.status, hasField: error.details.field !== undefined }).toEqual({
              provider,
              status: 400,
              hasField: true,
            });
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it('keep their meaning: the body for the dialect’s own provider decodes to the same request', () => {
    const codec = codecOf(SPEAKER[dialect]);
    fc.assert(
      fc.property(arbitraryRequest(dialect), (body) => {
        const target = targetOf('some-model');
        const said = codec.encodeRequest(format.decodeRequest(body), target, createLossReport()).body;
        const again = codec.encodeRequest(
          format.decodeRequest(JSON.parse(said) as Record<string, unknown>),
          target,
          createLossReport(),
        ).body;
        expect(JSON.parse(again)).toEqual(JSON.parse(said));
      }),
      { numRuns: 60 },
    );
  });

  it('keep their words in every other dialect', () => {
    fc.assert(
      fc.property(arbitraryRequest(dialect), (body) => {
        const asked = format.decodeRequest(body);
        const words = wordsOf(asked);
        for (const other of DIALECTS) {
          const said = say(other, asked);
          if (said === undefined) continue;
          const heard = wireFormats[other].decodeRequest({ max_tokens: 100, ...(JSON.parse(said) as Record<string, unknown>) });
          expect(wordsOf(heard)).toEqual(words);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('files that a vendor does not take', () => {
  const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const parts: Readonly<Record<ChatDialect, readonly [body: (part: object) => object, docx: object, field: string, file: object]>> = {
    'chat-completions': [
      (part) => ({ model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, part] }] }),
      { type: 'file', file: { filename: 'a.docx', file_data: `data:${DOCX};base64,AAAA` } },
      'messages[0].content[1].file.file_data',
      { type: 'file', file: { file_id: 'file-1' } },
    ],
    responses: [
      (part) => ({ model: 'm', input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }, part] }] }),
      { type: 'input_file', filename: 'a.docx', file_data: `data:${DOCX};base64,AAAA` },
      'input[0].content[1].file_data',
      { type: 'input_file', file_id: 'file-1' },
    ],
    messages: [
      (part) => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, part] }] }),
      { type: 'document', source: { type: 'base64', media_type: DOCX, data: 'AAAA' } },
      'messages[0].content[1].source',
      { type: 'document', source: { type: 'file', file_id: 'file-1' } },
    ],
  };

  function refusalOf(provider: string, dialect: ChatDialect, part: object): GatewayError | undefined {
    const asked = wireFormats[dialect].decodeRequest(parts[dialect][0](part) as Record<string, unknown>);
    try {
      codecOf(provider).encodeRequest(asked, targetOf('some-model'), createLossReport());
      return undefined;
    } catch (error) {
      return error as GatewayError;
    }
  }

  it.each(DIALECTS)('are refused by the part of %s that has them', (dialect) => {
    const [, docx, field, file] = parts[dialect];
    for (const provider of ['anthropic', 'google', 'vertex', 'cohere', 'deepseek']) {
      expect([provider, refusalOf(provider, dialect, docx)]).toEqual([
        provider,
        expect.objectContaining({ code: 'unsupported_field', details: { field }, message: expect.stringContaining(field) as string }),
      ]);
    }
    expect(refusalOf('bedrock', dialect, docx)).toBeUndefined();
    for (const provider of PROVIDERS) {
      const refusal = refusalOf(provider, dialect, file);
      expect([provider, refusal?.status, refusal?.details.field]).toEqual([provider, 400, expect.stringContaining('.content[1].')]);
    }
  });

  it('leave texts and pictures of the usual types alone', () => {
    const csv = { type: 'document', source: { type: 'base64', media_type: 'text/csv', data: 'YSxi' } };
    const picture = (type: string) => ({ type: 'image', source: { type: 'base64', media_type: type, data: 'AAAA' } });
    for (const provider of ['anthropic', 'google']) {
      for (const part of [csv, picture('image/png')]) expect(refusalOf(provider, 'messages', part)).toBeUndefined();
    }
    expect(refusalOf('anthropic', 'messages', picture('image/tiff'))?.message).toContain('image/tiff');
  });
});

/** The request in another dialect's words; undefined when it has none for it and says so. */
function say(dialect: ChatDialect, asked: ChatRequest): string | undefined {
  try {
    return codecOf(SPEAKER[dialect]).encodeRequest(asked, targetOf('some-model'), createLossReport()).body;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unsupported_field') return undefined;
    throw error;
  }
}

/** What is said, called and answered, apart from how it is cut into parts and turns. A system prompt may get words of ours. */
function wordsOf({ turns }: ChatRequest): unknown {
  const said: string[] = [];
  const calls: unknown[] = [];
  const visit = (block: ContentBlock): void => {
    if (block.type === 'text' || block.type === 'refusal') said.push(block.text);
    else if (block.type === 'document' && block.source.kind === 'text') said.push(block.source.text);
    else if (block.type === 'tool-call')
      calls.push([block.id, block.name, JSON.parse(block.argumentsText === '' ? '{}' : block.argumentsText)]);
    else if (block.type === 'tool-result') block.content.forEach(visit);
  };
  for (const { role, content } of turns) if (role !== 'system' && role !== 'developer') content.forEach(visit);
  return { said: squeeze(said.join('')), calls };
}

/** Names and headings of documents become text, and empty text goes. */
function squeeze(text: string): string {
  return text.replaceAll('a.txt', '').replace(/\s+/g, '');
}

const CONTEXT: ReplyContext = {
  requestId: 'req',
  modelId: 'v/m',
  asked: { model: 'm', turns: [], stream: true },
  body: { stream_options: { include_usage: true } },
  nowMs: 0,
};

function streamOf(dialect: ChatDialect, events: readonly ChatEvent[]): Buffer {
  const encoder = wireFormats[dialect].createStreamEncoder(CONTEXT);
  return Buffer.from(
    events.map((event) => encoder.encode(event, event.type === 'usage' ? { usage: event.usage, costUsd: '0' } : undefined)).join(''),
  );
}

function decodeStream(dialect: ChatDialect, bytes: Buffer, cuts: readonly number[]): ChatEvent[] {
  const decoder = codecOf(SPEAKER[dialect]).createStreamDecoder(targetOf('some-model'));
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

describe.each(DIALECTS)('a %s stream', (dialect) => {
  it('gives the same events however its bytes are cut', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.nat(), { maxLength: 12 }), (seed, cuts) => {
        const bytes = streamOf(dialect, createSampleEvents(seed));
        expect(withoutChance(decodeStream(dialect, bytes, cuts))).toEqual(withoutChance(decodeStream(dialect, bytes, [])));
      }),
      { numRuns: 60 },
    );
  });

  it('reads as the reply it was written from', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const events = createSampleEvents(seed, { interleaves: false })
          .filter((event) => !isUnsayable(event))
          .map(simplify);
        const heard = collectReply(decodeStream(dialect, streamOf(dialect, events), []));
        expect(gist(heard)).toEqual(gist(collectReply(events)));
      }),
      { numRuns: 60 },
    );
  });
});

/** Ids that a provider left out are minted, and the time is read from the clock. */
function withoutChance(events: readonly ChatEvent[]): unknown {
  return JSON.parse(
    JSON.stringify(events)
      .replace(/"(call_|chatcmpl-|msg_|resp_|ws_|toolu_)[0-9a-f]{24}"/g, '"$1minted"')
      .replace(/"createdAtSeconds":\d+/g, '"createdAtSeconds":0'),
  ) as unknown;
}

/** Lone halves of surrogate pairs do not survive being bytes, and a refusal is text in one dialect. */
function isUnsayable(event: ChatEvent): boolean {
  return ('text' in event && /\p{Surrogate}/u.test(event.text)) || event.type.startsWith('refusal');
}

/** Free-form calls are functions in one dialect, reasons in words are text in another, and a failure has no usage in a third. */
function simplify(event: ChatEvent): ChatEvent {
  if (event.type === 'tool-call-start') return { ...event, kind: 'function' };
  if (event.type !== 'finish') return event;
  const { unified } = event.finish;
  return { ...event, finish: { unified: unified === 'error' ? 'stop' : unified, upstream: null } };
}

/** What every dialect can say of a reply. */
function gist(reply: ChatReply): unknown {
  const content = reply.choices[0]?.content ?? [];
  return {
    words: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) => (block.type === 'tool-call' ? [[block.id, block.name, block.argumentsText || '{}']] : [])),
    output: reply.usage?.output,
    cacheRead: reply.usage?.cacheRead,
  };
}
