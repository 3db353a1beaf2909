import { NO_USAGE, type ChatEvent, type Usage } from '@weir/canonical';
import { toSse } from './__fixtures__/decode-in-pieces';
import type { ChatStreamDecoder } from './provider/provider';
import { chatUsageOf, FailedReply, readReportedChat } from './failures/failed-reply';
import { decodeReply as readMessage } from './native/anthropic/decode-reply';
import { createStreamDecoder as readMessages } from './native/anthropic/decode-stream';
import { encodeEvents } from './native/bedrock/__fixtures__/encode-event-frame';
import { decodeReply as readConverse } from './native/bedrock/decode-reply';
import { createStreamDecoder as readConverseStream } from './native/bedrock/decode-stream';
import { decodeReply as readCohere } from './native/cohere/decode-reply';
import { createStreamDecoder as readCohereStream } from './native/cohere/decode-stream';
import { decodeReply as readGemini } from './native/google/decode-reply';
import { createStreamDecoder as readGeminiStream } from './native/google/decode-stream';
import { decodeReply as readResponse } from './native/openai-responses/decode-reply';
import { createStreamDecoder as readResponseStream } from './native/openai-responses/decode-stream';
import { decodeReply as readCompletion } from './openai-compatible/decode-reply';
import { createStreamDecoder as readCompletionStream } from './openai-compatible/decode-stream';

const context = {
  family: 'f',
  fallbackModel: 'm',
  customTools: new Set<string>(),
  usage: 'standard' as const,
  detailsFamily: 'p',
  notes: { customTools: new Set<string>(), hasAnswerTool: false },
};
const USED: Usage = { ...NO_USAGE, inputUncached: 3, output: 4 };
const COMPLETION = { prompt_tokens: 3, completion_tokens: 4 };
const COUNTED = { input_tokens: 3, output_tokens: 4 };
const GEMINI = { promptTokenCount: 3, candidatesTokenCount: 4 };
const CONVERSE = { inputTokens: 3, outputTokens: 4 };
const COHERE = { tokens: COUNTED, billed_units: COUNTED };

type Read = (text: string, reported: typeof context) => unknown;

function failureOf(read: Read, reply: unknown): unknown {
  try {
    return read(JSON.stringify(reply), context);
  } catch (error) {
    return error;
  }
}

describe('a whole reply that is a failure carries the reported usage', () => {
  it.each<[string, Read, unknown]>([
    ['a call that is none', readGemini, { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }], usageMetadata: GEMINI }],
    ['no candidates', readGemini, { usageMetadata: GEMINI }],
    ['an error beside it', readGemini, { error: { message: 'm' }, usageMetadata: GEMINI }],
    ['output that is malformed', readConverse, { output: { message: { content: [] } }, stopReason: 'malformed_tool_use', usage: CONVERSE }],
    ['no message', readConverse, { usage: CONVERSE }],
    ['a breakdown', readCohere, { message: { content: [] }, finish_reason: 'ERROR', usage: COHERE }],
    ['no content', readMessage, { type: 'message', usage: COUNTED }],
    ['an error of a choice', readCompletion, { choices: [{ error: { message: 'm', code: 502 } }], usage: COMPLETION }],
    ['an error', readCompletion, { error: { message: 'm' }, usage: COMPLETION }],
    ['a choice that broke off', readCompletion, { choices: [{ message: {}, finish_reason: 'error' }], usage: COMPLETION }],
    ['no choice', readCompletion, { choices: [], usage: COMPLETION }],
    ['a failed response', readResponse, { output: [], status: 'failed', error: { code: 'server_error', message: 'm' }, usage: COUNTED }],
  ])('%s', (_, read, reply) => {
    const failure = failureOf(read, reply);
    expect(failure).toBeInstanceOf(FailedReply);
    expect(chatUsageOf(failure)).toEqual(USED);
  });

  it('carries none when none is reported, or when the error is not a failed reply', () => {
    expect(chatUsageOf(failureOf(readGemini, { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }))).toBeNull();
    const bug = new TypeError('x is not a function');
    const read = () =>
      readReportedChat(
        () => {
          throw bug;
        },
        () => USED,
      );
    expect(read).toThrow(bug);
  });
});

const event = (data: { type: string; [name: string]: unknown }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const START = event({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 3, output_tokens: 1 } } });
const DELTA = event({ type: 'message_delta', delta: {}, usage: { output_tokens: 4 } });
const OVERLOADED = event({ type: 'error', error: { type: 'overloaded_error', message: 'm' } });

describe('a stream that breaks returns the usage reported so far', () => {
  it.each<[string, (reported: typeof context) => ChatStreamDecoder, string | Buffer]>([
    ['a call that is none', readGeminiStream, toSse([{ candidates: [{ finishReason: 'UNEXPECTED_TOOL_CALL' }], usageMetadata: GEMINI }])],
    ['an error after words', readGeminiStream, toSse([{ candidates: [], usageMetadata: GEMINI }, { error: { message: 'm' } }])],
    ['a cut', readGeminiStream, toSse([{ candidates: [{ content: { parts: [{ text: 'a' }] } }], usageMetadata: GEMINI }], false)],
    ['a cut', readConverseStream, encodeEvents([['metadata', { usage: CONVERSE }]])],
    [
      'output that is malformed',
      readConverseStream,
      encodeEvents([
        ['messageStop', { stopReason: 'malformed_model_output' }],
        ['metadata', { usage: CONVERSE }],
      ]),
    ],
    ['a breakdown', readCohereStream, toSse([{ type: 'message-end', delta: { finish_reason: 'ERROR', usage: COHERE } }], false)],
    ['an error', readMessages, START + DELTA + OVERLOADED],
    ['a cut', readMessages, START + DELTA],
    ['an error of a choice', readCompletionStream, toSse([{ choices: [{ error: { message: 'm', code: 502 } }], usage: COMPLETION }])],
    [
      'a choice that broke off',
      readCompletionStream,
      toSse([{ choices: [{ finish_reason: 'error' }] }, { choices: [], usage: COMPLETION }]),
    ],
    ['a cut', readCompletionStream, toSse([{ choices: [{ delta: { content: 'a' } }], usage: COMPLETION }], false)],
    [
      'a failed response',
      readResponseStream,
      event({ type: 'response.failed', response: { error: { code: 'server_error', message: 'm' }, usage: COUNTED } }),
    ],
    ['one piece', readGeminiStream, JSON.stringify([{ error: { message: 'm' }, usageMetadata: GEMINI }])],
    ['one piece', readCohereStream, JSON.stringify({ message: 'm', usage: COHERE })],
    ['one piece', readMessages, JSON.stringify({ type: 'error', error: { message: 'm' }, usage: COUNTED })],
    ['one piece', readCompletionStream, JSON.stringify({ choices: [{ error: { message: 'm' }, usage: COMPLETION }] })],
    ['one piece', readResponseStream, JSON.stringify({ status: 'failed', error: { message: 'm' }, usage: COUNTED })],
  ])('%s', (_, create, body) => {
    const decoder = create(context);
    expect(decoder.reported()).toBeNull();
    const events: ChatEvent[] = [...decoder.push(Buffer.from(body)), ...decoder.end()];

    expect(decoder.reported()).toEqual(USED);
    expect(events.map(({ type }) => type)).not.toContain('end');
  });
});
