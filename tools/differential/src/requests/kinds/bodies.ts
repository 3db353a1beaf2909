import type { Request } from '../request';

/** What a caller says, with the mark by which the provider knows the request. */
export function prompt(mark: string, text = 'What time is it, please?'): string {
  return `${mark} ${text}`;
}

export type Shape = { readonly path: string; readonly body: (model: string, text: string, more?: object) => object };

/** The dialects in which callers chat. */
export const SHAPES = {
  chat: {
    path: '/v1/chat/completions',
    body: (model, text, more = {}) => ({ model, messages: [{ role: 'user', content: text }], max_tokens: 200, ...more }),
  },
  responses: {
    path: '/v1/responses',
    body: (model, text, more = {}) => ({ model, input: text, max_output_tokens: 200, ...more }),
  },
  messages: {
    path: '/v1/messages',
    body: (model, text, more = {}) => ({ model, max_tokens: 200, messages: [{ role: 'user', content: text }], ...more }),
  },
  legacy: {
    path: '/v1/completions',
    body: (model, text, more = {}) => ({ model, prompt: text, max_tokens: 200, ...more }),
  },
} as const satisfies Record<string, Shape>;
export type ShapeName = keyof typeof SHAPES;

/** One model for each way in which a provider is spoken to. */
export const MODELS = {
  openai: 'openai/gpt-4o-mini',
  'openai-responses': 'openai-responses/gpt-5',
  anthropic: 'anthropic/claude-haiku-4-5',
  mistral: 'mistral/mistral-small-latest',
  groq: 'groq/meta/llama-3.3-70b-versatile',
  deepseek: 'deepseek/deepseek-chat',
} as const;
export type ModelName = keyof typeof MODELS;

type Ask = Partial<Omit<Request, 'body'>> & {
  readonly text?: string;
  /** Further members of the body. */
  readonly more?: object;
};

/** One request in a dialect to a model: with the key that four limits bind unless another is given. */
export function ask(shape: ShapeName, model: string, mark: string, { text, more, ...request }: Ask = {}): Request {
  return { key: 'four', path: SHAPES[shape].path, body: SHAPES[shape].body(model, prompt(mark, text), more), ...request };
}

/** The ways of a chat request through the gateway: express in each dialect, translated, and with repairs of the reply. */
export const WAYS: readonly (readonly [ShapeName, string])[] = [
  ['chat', MODELS.openai],
  ['messages', MODELS.anthropic],
  ['responses', MODELS['openai-responses']],
  ['chat', MODELS.anthropic],
  ['messages', MODELS.openai],
  ['responses', MODELS.openai],
  ['chat', MODELS['openai-responses']],
  ['chat', MODELS.mistral],
  ['legacy', MODELS.openai],
];

/** A short name of a way, for the ids of kinds. */
export function nameOf([shape, model]: readonly [ShapeName, string]): string {
  return `${shape}:${model.split('/')[0] ?? ''}`;
}

/** What makes a request streamed, with its usage where the dialect has to be asked for it. */
export function streamed(shape: ShapeName, asksUsage = true): object {
  const asks = asksUsage && (shape === 'chat' || shape === 'legacy');
  return { stream: true, ...(asks ? { stream_options: { include_usage: true } } : {}) };
}
