import { describePrompt } from '../provider/plan-reply';
import { createRandom, pickInteger, pickOne } from '../random';
import { CHAT_ENDPOINTS, CHAT_MODELS, MODELS, type Endpoint } from './models';

/** One request of a simulated client. Its seed is its name everywhere: at the provider, in its usage event, in the log. */
export type ClientRequest = {
  readonly seed: number;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly isStream: boolean;
  readonly prompt: string;
  /** Leaves as soon as this is so. */
  readonly leaveOnce?: () => boolean;
  /** Leaves when so many tokens have come. */
  readonly leaveAfterTokens?: number;
  readonly maxTokens?: number;
};

/** Usage events carry it as the caller's trace id. */
export function traceOf(seed: number): string {
  return `seed-${seed}`;
}

/** Any request: every dialect, whole and streamed, native and translated, most to a good end, some to a bad one. */
export function planRequest(seed: number): ClientRequest {
  const random = createRandom(seed ^ 0x5eed);
  if (random() < 0.1) return { seed, endpoint: 'embeddings', model: MODELS.embedding.id, isStream: false, prompt: describePrompt(seed) };
  const isStream = random() < 0.5;
  const fate = random();
  const gapMs = isStream ? pickInteger(random, 0, 8) : 0;
  const ending = fate < 0.04 ? 'error' : fate < 0.07 && isStream ? 'cut' : undefined;
  return {
    seed,
    endpoint: pickOne(random, CHAT_ENDPOINTS),
    model: pickOne(random, CHAT_MODELS).id,
    isStream,
    prompt: describePrompt(seed, { gapMs, ...(ending === undefined ? {} : { ending }) }),
  };
}

/** What a request allows when it says nothing else. */
export const MAX_TOKENS = 5_000;

/** Enough for the longest prompt that a plan bills, whatever is estimated from the body's length. */
const PADDING = 'and so on '.repeat(10);

export function encodeBody(request: ClientRequest): string {
  const { endpoint, model, isStream: stream, maxTokens = MAX_TOKENS } = request;
  const weir = { trace_id: traceOf(request.seed) };
  const content = `${request.prompt} ${PADDING}`;
  if (endpoint === 'embeddings') return JSON.stringify({ model, input: content, weir });
  if (endpoint === 'responses') return JSON.stringify({ model, input: content, stream, max_output_tokens: maxTokens, weir });
  const messages = [{ role: 'user', content }];
  if (endpoint === 'messages') return JSON.stringify({ model, messages, stream, max_tokens: maxTokens, weir });
  return JSON.stringify({
    model,
    messages,
    stream,
    max_tokens: maxTokens,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    weir,
  });
}
