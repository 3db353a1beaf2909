import type { ChatEvent } from '@weir/canonical';
import { asRecord, type JsonRecord } from '../wire/json-value';
import { explainFailure, wordsOf, type ProviderWords } from './explain-failure';

/** The status that an error word stands for, where providers report failures inside a stream by word only. */
const STATUS_OF_WORD: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  content_filter: 400,
  content_policy_violation: 400,
  image_content_policy_violation: 400,
  moderation_blocked: 400,
  image_generation_user_error: 400,
  invalid_image: 400,
  invalid_image_format: 400,
  invalid_image_mode: 400,
  invalid_image_url: 400,
  invalid_base64_image: 400,
  image_parse_error: 400,
  image_too_large: 400,
  image_too_small: 400,
  image_file_too_large: 400,
  image_file_not_found: 400,
  empty_image_file: 400,
  unsupported_image_media_type: 400,
  failed_to_download_image: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  RESOURCE_EXHAUSTED: 429,
  INVALID_ARGUMENT: 400,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
  timeout_error: 504,
  overloaded_error: 529,
  server_is_overloaded: 503,
};

/** An in-band error of a stream as the event that ends it. */
export function toStreamFailure(body: JsonRecord): ChatEvent {
  return toFailureEvent(wordsOf(body), statusOfFailure(body));
}

/** The same for what was read already; `status` is null where neither the provider nor its words name one. */
export function toFailureEvent(words: ProviderWords, status: number | null): ChatEvent {
  const said = { ...words, message: words.message === '' ? 'The provider failed while it was answering.' : words.message };
  const { code, message, details } = explainFailure({ status: status ?? 502, headers: {}, words: said, secrets: [] });
  const { upstream, context } = details;
  return {
    ...{ type: 'error', code, message, status },
    ...(upstream?.code === undefined ? {} : { providerCode: upstream.code }),
    ...(context === undefined ? {} : { context }),
  };
}

export function unreadableStream(): ChatEvent {
  return { type: 'error', code: 'provider_unreadable', message: 'The provider sent something this gateway cannot read.', status: null };
}

/**
 * Whether a parsed frame reports a failure, beside or instead of content. Some write an error without a word beside every
 * answer, some are nothing but the error's own members.
 */
export function hasFailure(body: JsonRecord): boolean {
  const { error } = body;
  if (body['object'] === 'error') return true;
  if (typeof error === 'string') return error !== '';
  const reported = asRecord(error);
  return reported !== undefined && (Object.values(reported).some(Boolean) || !Array.isArray(body['choices']));
}

/** The status that matches the failure's code or type; null where neither is known. */
export function statusOfFailure(body: JsonRecord): number | null {
  const words = wordsOf(body);
  return statusOf(words.code) ?? statusOf(words.type) ?? null;
}

function statusOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const number = Number(word);
  if (Number.isInteger(number) && number >= 400 && number < 600) return number;
  return Object.hasOwn(STATUS_OF_WORD, word) ? STATUS_OF_WORD[word] : undefined;
}
