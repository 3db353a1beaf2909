import { createOriginalBody, editBody } from '@weir/canonical';
import { invariant } from '@weir/errors';
import { refuseField, type JsonObject } from '../fields/field-readers';

/** A body as it came, and what it says. */
type CompletionsBody = { readonly text: string; readonly json: Record<string, unknown> };

/** How long an answer of the dialect may be where its caller does not say. */
const MAX_TOKENS = 16;
const CHAT = 'send the request to /v1/chat/completions';
/** Members that belong to chat completions: beside a prompt they would be a second one, or ask for what no text can hold. */
const OF_CHAT = ['messages', 'input', 'tools', 'tool_choice', 'functions', 'function_call', 'modalities', 'audio'] as const;
/** Members of the dialect that mean nothing to a chat model, each as far as it asks for something. */
const REFUSED: readonly (readonly [field: string, asks: (value: unknown) => boolean, problem: string])[] = [
  ['suffix', (value) => value !== '', 'is not supported, because chat models do not insert text: put what follows into the prompt'],
  ['echo', (value) => value !== false, 'is not supported: put the prompt before the text yourself'],
  ['logprobs', (value) => value !== false, `is not supported here: ${CHAT} with "logprobs": true`],
  ['best_of', (value) => value !== 1, 'must be 1, because candidates cannot be compared here: ask for several choices with n'],
];

/**
 * A body of the older completions dialect as one of chat completions, its prompt the message of a user. From here on it is
 * one: it is bounded, limited, screened and sent as such. Throws what cannot be said to a chat model.
 */
export function translateCompletionsBody({ text, json }: CompletionsBody): CompletionsBody {
  for (const field of OF_CHAT) {
    if (isPresent(json[field])) refuseField(field, `is a field of chat completions: ${CHAT}`);
  }
  for (const [field, asks, problem] of REFUSED) {
    const value = json[field];
    if (isPresent(value) && asks(value)) refuseField(field, problem);
  }
  const members = { messages: [{ role: 'user', content: readPrompt(json['prompt']) }], ...readLimit(json) };
  const removed = new Set(['prompt', ...REFUSED.map(([field]) => field)]);
  const original = createOriginalBody(text);
  invariant(original !== undefined, 'a parsed body is a JSON object');
  const set = new Map(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));
  const kept = Object.entries(json).filter(([name]) => !removed.has(name));
  return { text: editBody(original, { set, remove: removed }), json: { ...Object.fromEntries(kept), ...members } };
}

function readPrompt(prompt: unknown): string {
  if (typeof prompt === 'string') return prompt;
  if (!isPresent(prompt)) return refuseField('prompt', 'is required');
  if (!Array.isArray(prompt)) return refuseField('prompt', 'must be a string');
  const [only, ...others] = prompt as readonly unknown[];
  if (typeof only === 'number' || Array.isArray(only)) {
    return refuseField('prompt', 'must be text: tokens mean nothing to the tokenizer of another model');
  }
  if (typeof only !== 'string') return refuseField('prompt', 'must be a string');
  return others.length === 0 ? only : refuseField('prompt', 'must be one text: send a request for each of several');
}

function readLimit(json: JsonObject): { max_tokens?: number } {
  return isPresent(json['max_tokens']) || isPresent(json['max_completion_tokens']) ? {} : { max_tokens: MAX_TOKENS };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
