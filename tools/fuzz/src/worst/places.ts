import type { Host } from './shapes';

/** Where bodies are sent, and what else a request there needs. */
export type Place = {
  readonly name: string;
  readonly path: string;
  readonly host: Host;
  readonly headers?: Readonly<Record<string, string>>;
  /** With a key for which a guardrail holds. */
  readonly isGuarded?: boolean;
};

const MESSAGES = { max_tokens: 16 };

function chat(model: string): Place {
  return { name: `chat ${model}`, path: '/v1/chat/completions', host: { base: { model }, content: 'messages' } };
}

function messages(model: string): Place {
  return { name: `messages ${model}`, path: '/v1/messages', host: { base: { model, ...MESSAGES }, content: 'messages' } };
}

function responses(model: string): Place {
  return { name: `responses ${model}`, path: '/v1/responses', host: { base: { model }, content: 'input' } };
}

function guarded(place: Place): Place {
  return { ...place, name: `${place.name} guarded`, isGuarded: true };
}

function repeated(place: Place): Place {
  return { ...place, name: `${place.name} repeated`, headers: { 'x-weir-cache': '60' } };
}

const SANDBOX = 'sandbox/chat';
const OPENAI = 'openai/gpt-4o-mini';
const ANTHROPIC = 'anthropic/claude-haiku-4-5';

/** Every endpoint that takes JSON, through both lanes, and with what an organization or a caller may ask for besides. */
export const PLACES: readonly Place[] = [
  ...[SANDBOX, OPENAI, ANTHROPIC].flatMap((model) => [chat(model), messages(model), responses(model)]),
  ...[chat(SANDBOX), chat(OPENAI), messages(ANTHROPIC), responses(OPENAI)].flatMap((place) => [guarded(place), repeated(place)]),
  { name: 'count-tokens', path: '/v1/messages/count_tokens', host: { base: { model: SANDBOX }, content: 'messages' } },
  { name: 'completions', path: '/v1/completions', host: { base: { model: SANDBOX }, content: 'prompt' } },
  { name: 'count-input-tokens', path: '/v1/responses/input_tokens', host: { base: { model: SANDBOX }, content: 'input' } },
  { name: 'estimate', path: '/v1/estimate', host: { base: { model: SANDBOX }, content: 'messages' } },
  { name: 'embeddings', path: '/v1/embeddings', host: { base: { model: 'sandbox/embedding' }, content: 'input' } },
  { name: 'image-generations', path: '/v1/images/generations', host: { base: { model: 'sandbox/image' }, content: 'prompt' } },
  { name: 'image-edits', path: '/v1/images/edits', host: { base: { model: 'sandbox/image' }, content: 'prompt' } },
  { name: 'speech', path: '/v1/audio/speech', host: { base: { model: 'sandbox/speech', voice: 'alloy' }, content: 'input' } },
  { name: 'management', path: '/v1/manage/group', host: { base: {}, content: 'input' } },
];
