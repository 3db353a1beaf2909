const CREATED = 1_763_596_800;
const REQUEST_BYTES = 2048;

const SENTENCE = 'The quarterly report says that the northern region sold more umbrellas than expected. ';

/** A chat request of about 2 KB: a system text, a short history and one question. */
export function createRequestBody(model: string, stream: boolean): string {
  const build = (filler: string) =>
    JSON.stringify({
      model,
      messages: [
        { role: 'system', content: 'You are a careful analyst. Answer in one short paragraph.' },
        { role: 'user', content: `Here is the report. ${filler}` },
        { role: 'assistant', content: 'I have read it.' },
        { role: 'user', content: 'What does it say about umbrellas?' },
      ],
      max_tokens: 256,
      temperature: 0.2,
      ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    });
  const missing = REQUEST_BYTES - build('').length;
  return build(SENTENCE.repeat(Math.ceil(missing / SENTENCE.length)).slice(0, missing));
}

const ANSWER =
  'The report says that the northern region sold more umbrellas than expected, which it explains with an unusually wet autumn.';

/** A whole reply of about 600 bytes in the shape of chat completions. */
export function createCompletionReply(model: string): string {
  return JSON.stringify({
    id: 'chatcmpl-bench000000000000000000000',
    object: 'chat.completion',
    created: CREATED,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content: ANSWER, refusal: null, annotations: [] }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: {
      prompt_tokens: 420,
      completion_tokens: 24,
      total_tokens: 444,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
    },
    service_tier: 'default',
    system_fingerprint: 'fp_bench00000',
  });
}

/** `count` content frames with their beginning, end, usage and marker; one array item is one write. */
export function createCompletionFrames(model: string, count: number): string[] {
  const base = {
    id: 'chatcmpl-bench000000000000000000000',
    object: 'chat.completion.chunk',
    created: CREATED,
    model,
    system_fingerprint: 'fp_bench00000',
  };
  const chunk = (delta: object, finish: string | null = null) =>
    frame({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...Array.from({ length: count }, (_, index) => chunk({ content: ` word${index}` })),
    chunk({}, 'stop'),
    frame({ ...base, choices: [], usage: { prompt_tokens: 420, completion_tokens: count, total_tokens: 420 + count } }),
    'data: [DONE]\n\n',
  ];
}

/** The same answer in the shape of messages. */
export function createMessageReply(model: string): string {
  return JSON.stringify({
    id: 'msg_bench00000000000000000',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: ANSWER }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 420, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 24, service_tier: 'standard' },
  });
}

export function createMessageFrames(model: string, count: number): string[] {
  const message = {
    id: 'msg_bench00000000000000000',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  const typed = (value: { type: string } & Record<string, unknown>) => `event: ${value.type}\n${frame(value)}`;
  return [
    typed({ type: 'message_start', message: { ...message, usage: { input_tokens: 420, output_tokens: 1 } } }),
    typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: count }, (_, index) =>
      typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ` word${index}` } }),
    ),
    typed({ type: 'content_block_stop', index: 0 }),
    typed({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: count } }),
    typed({ type: 'message_stop' }),
  ];
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
