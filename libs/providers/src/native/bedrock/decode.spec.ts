import { collectReply, type ChatEvent, type ChatReply } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCapture, loadCaptures } from '@weir/testing';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { withoutChance } from '../../__fixtures__/decode-in-pieces';
import { decodeBytes } from './__fixtures__/decode-bytes';
import { encodeEvent, encodeEvents, encodeException, encodeFrame } from './__fixtures__/encode-event-frame';
import type { DecodeContext } from './decode-blocks';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { readUsage } from './read-usage';

const contextOf = (notes: Partial<DecodeContext['notes']> = {}): DecodeContext => ({
  family: 'converse',
  fallbackModel: 'some-model',
  notes: { customTools: new Set(), hasAnswerTool: false, ...notes },
});
const decode = (bytes: Uint8Array, sizes?: readonly number[], context = contextOf()): ChatEvent[] =>
  decodeBytes(createStreamDecoder(context), bytes, sizes);
const delta = (contentBlockIndex: number, reported: object) => ['contentBlockDelta', { contentBlockIndex, delta: reported }] as const;
const call = (contentBlockIndex: number, toolUseId: string, name: string) =>
  ['contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name } } }] as const;
const stop = (contentBlockIndex: number) => ['contentBlockStop', { contentBlockIndex }] as const;
const ending = (stopReason = 'end_turn') =>
  [
    ['messageStop', { stopReason }],
    ['metadata', { usage: { inputTokens: 5, outputTokens: 9 } }],
  ] as const;
const types = (events: readonly ChatEvent[]): string[] => events.map((event) => event.type);

describe('createStreamDecoder of Converse', () => {
  it('emits text, finish and usage in the order of the grammar', () => {
    const events = decode(
      encodeEvents([['messageStart', { role: 'assistant' }], delta(0, { text: 'hi' }), delta(0, { text: '' }), stop(0), ...ending()]),
    );

    expect(types(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish', 'usage', 'end']);
    expect(collectReply(events)).toMatchObject({
      model: 'some-model',
      usage: { inputUncached: 5, output: 9 },
      choices: [{ finish: { unified: 'stop', upstream: 'end_turn' } }],
    });
  });

  it('ends blocks that the model does not end, and starts the message that was never announced', () => {
    const events = decode(
      encodeEvents([
        delta(0, { reasoningContent: { text: 'hm' } }),
        delta(0, { reasoningContent: { signature: 'sig' } }),
        delta(1, { text: 'a' }),
        ...ending(),
      ]),
    );

    expect(checkGrammar(events)).toEqual([]);
    expect(collectReply(events).choices[0]?.content).toEqual([
      { type: 'reasoning', text: 'hm', state: { family: 'converse', kind: 'signature', value: 'sig' } },
      { type: 'text', text: 'a' },
    ]);
  });

  it('keeps redacted reasoning as state of its own family', () => {
    const events = decode(encodeEvents([delta(0, { reasoningContent: { redactedContent: 'cmVk' } }), stop(0), ...ending()]));
    expect(collectReply(events).choices[0]?.content).toEqual([
      { type: 'reasoning', text: '', state: { family: 'converse', kind: 'redacted', value: 'cmVk' } },
    ]);
  });

  it('gives a call without arguments an empty object and a free-form tool its bare input', () => {
    const context = contextOf({ customTools: new Set(['run']) });
    const events = decode(
      encodeEvents([
        call(0, 'a', 'short'),
        delta(0, { toolUse: { input: '' } }),
        stop(0),
        call(1, 'b', 'run'),
        delta(1, { toolUse: { input: '{"input":' } }),
        delta(1, { toolUse: { input: '"ls"}' } }),
        stop(1),
        ...ending('tool_use'),
      ]),
      undefined,
      context,
    );

    expect(collectReply(events).choices[0]).toMatchObject({
      content: [
        { id: 'a', name: 'short', argumentsText: '{}', kind: 'function' },
        { id: 'b', name: 'run', argumentsText: 'ls', kind: 'custom' },
      ],
      finish: { unified: 'tool-calls' },
    });
  });

  it('emits the input of the answer tool as the answer, only where it was offered', () => {
    const bytes = encodeEvents([
      call(0, 'a', 'json_output'),
      delta(0, { toolUse: { input: '{"a":' } }),
      delta(0, { toolUse: { input: '1}' } }),
      stop(0),
      ...ending('tool_use'),
    ]);

    expect(collectReply(decode(bytes, undefined, contextOf({ hasAnswerTool: true }))).choices[0]).toEqual({
      index: 0,
      content: [{ type: 'text', text: '{"a":1}' }],
      finish: { unified: 'stop', upstream: 'tool_use' },
    });
    expect(collectReply(decode(bytes)).choices[0]).toMatchObject({ content: [{ type: 'tool-call' }], finish: { unified: 'tool-calls' } });
  });

  it('takes usage before the stop reason as well, and ends without any at the orderly end', () => {
    const [reason, usage] = ending();

    expect(types(decode(encodeEvents([usage, reason])))).toEqual(['start', 'finish', 'usage', 'end']);
    expect(types(decode(encodeEvents([reason])))).toEqual(['start', 'finish', 'end']);
  });

  it.each([
    ['throttlingException', { message: 'm' }, 'provider_rate_limited', 429],
    ['serviceUnavailableException', { message: 'm' }, 'provider_overloaded', 503],
    ['internalServerException', { message: 'm' }, 'provider_failed', 500],
    ['validationException', { message: 'm' }, 'provider_refused', 400],
    ['modelStreamErrorException', { message: 'x', originalMessage: 'm', originalStatusCode: 529 }, 'provider_overloaded', 529],
    ['brandNewException', { message: 'm' }, 'provider_failed', null],
  ])('ends with an error event at %s', (name, payload, code, status) => {
    const bytes = Buffer.concat([encodeEvent('messageStart', {}), encodeException(name, payload), encodeEvents(ending())]);
    expect(decode(bytes).slice(1)).toEqual([{ type: 'error', code, message: 'm', status }]);
  });

  it('takes an error of the framing, a payload that is no object and malformed output for failures', () => {
    const framing = encodeFrame({ ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'gone' }, undefined);

    expect(decode(framing)).toEqual([{ type: 'error', code: 'provider_failed', message: 'gone', status: null }]);
    expect(decode(encodeEvent('messageStart', 'x'))).toMatchObject([{ type: 'error', code: 'provider_unreadable' }]);
    expect(decode(encodeEvents(ending('malformed_tool_use'))).at(-1)).toMatchObject({ type: 'error', code: 'provider_failed' });
  });

  it('says that a broken message is unreadable, after what came before it', () => {
    const broken = encodeEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'b' } });
    broken.writeUInt8(0x00, broken.length - 6);
    const events = decode(Buffer.concat([encodeEvents([delta(0, { text: 'a' })]), broken, encodeEvents(ending())]));

    expect(types(events)).toEqual(['start', 'text-start', 'text-delta', 'error']);
    expect(events.at(-1)).toMatchObject({ code: 'provider_unreadable' });
  });

  it('has no end when the connection was closed before the stop reason', () => {
    expect(types(decode(encodeEvents([delta(0, { text: 'a' })])))).toEqual(['start', 'text-start', 'text-delta']);
    expect(types(decode(encodeEvents([delta(0, { text: 'a' }), ...ending()]).subarray(0, -180)))).not.toContain('end');
  });
});

describe('decodeReply of Converse', () => {
  const reply = (content: unknown[], more: object = {}): ChatReply =>
    decodeReply(
      JSON.stringify({
        output: { message: { role: 'assistant', content } },
        stopReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 2 },
        ...more,
      }),
      contextOf(),
    );

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop-sequence'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'context-full'],
    ['guardrail_intervened', 'content-filter'],
    ['content_filtered', 'content-filter'],
  ])('reads the stop reason %s', (stopReason, unified) => {
    expect(reply([{ text: 'a' }], { stopReason }).choices[0]?.finish).toEqual({ unified, upstream: stopReason });
  });

  it('returns the stop sequence wherever the model put it', () => {
    const finishOf = (additionalModelResponseFields: object) =>
      reply([], { stopReason: 'stop_sequence', additionalModelResponseFields }).choices[0]?.finish.stopSequence;

    expect(finishOf({ stop_sequence: 'X' })).toBe('X');
    expect(finishOf({ delta: { stop_sequence: 'Y' } })).toBe('Y');
    expect(finishOf({ delta: { stop_sequence: null } })).toBeUndefined();
  });

  it.each(['', 'null', '[]', '{}', '{"message":"x"}', '{"output":{}}'])('refuses %j as unreadable', (text) => {
    expect(() => decodeReply(text, contextOf())).toThrow(expect.objectContaining({ code: 'provider_unreadable' }));
  });
});

describe('readUsage of Converse', () => {
  it('keeps cache reads and writes apart from the input and splits writes by their lifetime', () => {
    const usage = { inputTokens: 1, outputTokens: 9, cacheReadInputTokens: 2, cacheWriteInputTokens: 30, totalTokens: 42 };

    expect(
      readUsage({
        ...usage,
        cacheDetails: [
          { ttl: '5m', inputTokens: 10 },
          { ttl: '1h', inputTokens: 20 },
        ],
      }),
    ).toMatchObject({ inputUncached: 1, cacheRead: 2, cacheWrite5m: 10, cacheWrite1h: 20, output: 9 });
    expect(readUsage(usage)).toMatchObject({ cacheWrite5m: 30, cacheWrite1h: 0 });
    for (const nothing of [undefined, null, {}, []]) expect(readUsage(nothing)).toBeNull();
  });
});

describeWithFixtures('captured replies of Converse', () => {
  const UNDER = [
    'agentgateway+agentgateway/bedrock/',
    'vercel+ai/amazon-bedrock/',
    'langchain-ai+langchain-aws/bedrock/',
    'pydantic+pydantic-ai/bedrock/',
    'pydantic+pydantic-ai/tool-choice-matrix/',
    'pydantic+pydantic-ai/multimodal-tool-returns/',
    'traceloop+openllmetry/bedrock/',
  ];
  const captures = () =>
    listCaptures({ under: UNDER })
      .flatMap((path) => loadCaptures(path))
      .filter((capture) => capture.role === 'reply' && (capture.status ?? 200) === 200);
  const streams = () =>
    captures().filter(
      ({ kind, body, request }) =>
        kind === 'bytes' && Buffer.from(body).includes('messageStop') && !String(request?.url).includes('invoke'),
    );
  const replies = () => captures().filter(({ kind, body }) => kind === 'json' && String(body).includes('"stopReason"'));
  const bytesOf = (body: string | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body) : body);

  it('stream in the grammar and end in order, however the bytes are cut', () => {
    expect(streams().length).toBeGreaterThan(18);
    for (const { path, body } of streams()) {
      const whole = decode(bytesOf(body));
      const hasUsage = bytesOf(body).includes('inputTokens');

      expect([path, checkGrammar(whole)]).toEqual([path, []]);
      expect([path, types(whole).slice(hasUsage ? -3 : -2)]).toEqual([path, hasUsage ? ['finish', 'usage', 'end'] : ['finish', 'end']]);
      for (const sizes of [[1], [3, 17, 64], [1000]]) expect(withoutChance(decode(bytesOf(body), sizes))).toEqual(withoutChance(whole));
    }
  });

  it('that are whole are all read', () => {
    expect(replies().length).toBeGreaterThan(40);
    for (const { path, body } of replies()) {
      const reply = decodeReply(String(body), contextOf());
      expect([
        path,
        reply.usage,
        reply.choices[0]?.content.some((block) => block.type === 'opaque' && !path.includes('code_execution')),
      ]).toEqual([path, expect.objectContaining({ source: 'provider' }), false]);
    }
  });

  it('hold the text, the two calls and the numbers that were recorded', () => {
    const reply = (path: string): ChatReply => collectReply(decode(bytesOf(loadCapture(path).body)));

    expect(reply('agentgateway+agentgateway/bedrock/res-basic.bin')).toMatchObject({
      choices: [
        { content: [{ type: 'text', text: expect.stringMatching(/^\nOnce upon a time.*helped\.$/s) }], finish: { unified: 'stop' } },
      ],
      usage: { inputUncached: 15, output: 142 },
    });
    expect(reply('agentgateway+agentgateway/bedrock/res-tool.bin').choices[0]).toMatchObject({
      content: [
        { type: 'text', text: "I'll call both tools." },
        { type: 'tool-call', id: 'tooluse_kZJMlvQmRJ6eAyJE5GIl7Q', name: 'top_song', argumentsText: '{"sign":"WZPZ"}' },
        { type: 'tool-call', name: 'hello', argumentsText: '{"sign":"world"}' },
      ],
      finish: { unified: 'tool-calls' },
    });
    expect(
      decodeReply(String(loadCapture('agentgateway+agentgateway/bedrock/res-cache_write.json').body), contextOf()).usage,
    ).toMatchObject({ inputUncached: 16, cacheWrite5m: 2387, output: 9 });
  });

  it('hold citations with what they cite', () => {
    const path = 'langchain-ai+langchain-aws/bedrock/test_citations_document0_.yaml.gz';
    const streamed = collectReply(decode(bytesOf(loadCapture(path).body)));
    const whole = decodeReply(String(loadCapture(path, 1).body), contextOf());

    expect(streamed.choices[0]?.content[1]).toMatchObject({
      type: 'text',
      citations: [{ title: 'company_policy', citedText: 'Company leave policy: Employees get 20 days annual leave. ' }],
    });
    expect(whole.choices[0]?.content[1]).toMatchObject({
      type: 'text',
      text: 'consult with your manager for details.',
      citations: [{ citedText: 'Consult with your manager for details.' }],
    });
  });

  it('keep calls that the provider answered itself away from the caller', () => {
    const reply = collectReply(
      decode(bytesOf(loadCapture('pydantic+pydantic-ai/bedrock/test_bedrock_model_code_execution_tool_stream.yaml').body)),
    );
    expect(reply.choices[0]?.content.map((block) => [block.type, block.type === 'tool-call' ? block.name : ''])).toEqual([
      ['opaque', ''],
      ['opaque', ''],
      ['tool-call', 'final_result'],
    ]);
  });

  it('call a broken one unreadable', () => {
    expect(decode(bytesOf(loadCapture('agentgateway+agentgateway/detect/res-bedrock-broken.bin').body))).toMatchObject([
      { type: 'error', code: 'provider_unreadable' },
    ]);
  });
});
