import { USAGE, words, type Encoded } from './encoded';
import type { Content, Question, Usage } from './reply';

const CREATED = 1_700_000_000;

/** A reply of chat completions, as OpenAI writes it. */
export function encodeChat(content: Content, { model, asksUsage }: Question): Encoded {
  const head = { id: 'chatcmpl-upstream0001', created: CREATED, model, system_fingerprint: 'fp_0001', ...content.extra };
  const usage = content.usage === 'none' ? undefined : chatUsage(content.usage ?? USAGE);
  const whole = {
    object: 'chat.completion',
    ...head,
    choices: choicesOf(content).map((index) => ({
      index,
      message: wholeMessage(content),
      logprobs: null,
      finish_reason: finishOf(content),
    })),
    ...(usage === undefined ? {} : { usage }),
  };
  const nullUsage = content.hasNullUsage === true ? { usage: null } : {};
  const frame = (choices: readonly object[], more: object = nullUsage): string =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...head, choices, ...more })}`;
  const deltas = deltasOf(content);
  const frames = choicesOf(content).flatMap((index) => [
    ...deltas.map((delta) => frame([{ index, delta, logprobs: null, finish_reason: null }])),
    frame([{ index, delta: {}, logprobs: null, finish_reason: finishOf(content) }]),
  ]);
  return { whole, frames: [...frames, ...(usage !== undefined && asksUsage ? [frame([], { usage })] : []), 'data: [DONE]'] };
}

function choicesOf({ choices = 1 }: Content): number[] {
  return Array.from({ length: choices }, (_, index) => index);
}

function finishOf({ tools, finish = 'stop' }: Content): string {
  return tools === undefined ? finish : 'tool_calls';
}

function wholeMessage({ text, reasoning, refusal, tools }: Content): object {
  return {
    role: 'assistant',
    content: text ?? null,
    refusal: refusal ?? null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(tools === undefined ? {} : { tool_calls: tools.map((tool, at) => ({ id: callId(at), type: 'function', function: tool })) }),
  };
}

function deltasOf({ text, reasoning, refusal, tools = [] }: Content): object[] {
  return [
    { role: 'assistant', content: '', refusal: null },
    ...words(reasoning).map((word) => ({ reasoning_content: word })),
    ...words(text).map((word) => ({ content: word })),
    ...words(refusal).map((word) => ({ refusal: word })),
    ...tools.flatMap(({ name, arguments: all }, index) => [
      { tool_calls: [{ index, id: callId(index), type: 'function', function: { name, arguments: '' } }] },
      ...words(all).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
  ];
}

function callId(at: number): string {
  return `call_upstream000000000000000${at}`;
}

function chatUsage({ input, output, cached = 0, reasoning = 0 }: Usage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
