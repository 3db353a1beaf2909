import { GatewayError, isAccountRefusal, type ErrorCode } from '@weir/errors';
import { asArray, asRecord, asText, parseJson, type JsonRecord } from '../wire/json-value';
import { cleanText } from './clean-text';
import { findCause } from './failure-causes';
import { readRetryAfter, type ResponseHeaders } from './read-retry-after';

/** What a provider said about its failure, in whatever shape it said it. */
export type ProviderWords = {
  readonly message: string;
  readonly code?: string;
  readonly type?: string;
  /** The field at fault. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
};

type FailureContext = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly words: ProviderWords;
  /** Keys that must not be shown even when their shape is unknown. */
  readonly secrets: readonly string[];
};

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'provider_refused',
  401: 'provider_credentials',
  402: 'provider_quota_exhausted',
  403: 'provider_credentials',
  404: 'provider_not_found',
  408: 'provider_timeout',
  409: 'provider_failed',
  413: 'provider_body_too_large',
  422: 'provider_unprocessable',
  425: 'provider_overloaded',
  429: 'provider_rate_limited',
  498: 'provider_overloaded',
  503: 'provider_overloaded',
  504: 'provider_timeout',
  524: 'provider_timeout',
  529: 'provider_overloaded',
};

/** The worker that made the attempt names provider and account. */
const OUR_FAULT = 'The provider refused the account that was used. Check the key and the credit of that account.';

/** The provider's status and words as the error a caller meets. Never throws. */
export function explainFailure(context: FailureContext): GatewayError {
  const { status, words, secrets } = context;
  const cause = findCause(status, words);
  const code = cause?.code ?? codeOfStatus(status);
  const text = cleanText(words.message, secrets);
  const isOurs = isAccountRefusal(code);
  const message = isOurs ? OUR_FAULT : text === '' ? `The provider answered with status ${status}.` : text;
  return new GatewayError(code, message, {
    upstream: {
      status,
      ...cleanWord('code', words.code, secrets),
      ...cleanWord('type', words.type, secrets),
      ...cleanWord('param', words.param, secrets),
    },
    ...waitOf(code, context),
    ...(cause?.context === undefined ? {} : { context: cause.context }),
    ...(isOurs && text !== '' ? { cause: new Error(text) } : {}),
  });
}

function cleanWord<Name extends 'code' | 'type' | 'param'>(
  name: Name,
  word: string | undefined,
  secrets: readonly string[],
): { [Key in Name]?: string } {
  return word === undefined ? {} : ({ [name]: cleanText(word, secrets) } as { [Key in Name]: string });
}

function waitOf(code: ErrorCode, { words, headers }: FailureContext): { retryAfterSeconds?: number } {
  if (code !== 'provider_rate_limited' && code !== 'provider_overloaded') return {};
  const retryAfterSeconds = words.retryAfterSeconds ?? readRetryAfter(headers) ?? (code === 'provider_overloaded' ? 1 : undefined);
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
}

function codeOfStatus(status: number): ErrorCode {
  const known = CODE_OF_STATUS[status];
  if (known !== undefined) return known;
  return status >= 400 && status < 500 ? 'provider_refused' : 'provider_failed';
}

/** Reads the error bodies providers are known to send: `{error:{…}}`, `{error:"…"}`, `{message}`, `{detail}`, a list of one. */
export function readProviderWords(text: string): ProviderWords {
  const parsed = parseJson(text);
  const body = asRecord(Array.isArray(parsed) ? parsed[0] : parsed);
  return body === undefined ? { message: text.trimStart().startsWith('<') ? '' : text } : wordsOf(body);
}

/** The same for a body or an in-band error that is parsed already. */
export function wordsOf(body: JsonRecord): ProviderWords {
  const error = asRecord(body['error']) ?? asRecord(body['response']) ?? body;
  const code = toWord(error['code'] ?? body['code']) ?? toWord(error['status']);
  const type = toWord(error['type'] ?? body['type']);
  const param = asText(error['param'] ?? body['param']);
  return {
    message: messageOf(body, error),
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
    ...(param === undefined || param === '' ? {} : { param }),
  };
}

function messageOf(body: JsonRecord, error: JsonRecord): string {
  return asText(body['error']) ?? asText(error['message']) ?? asText(body['message']) ?? detailOf(body['detail'] ?? error['detail']) ?? '';
}

function detailOf(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail;
  const messages = asArray(detail).map((entry) => asText(asRecord(entry)?.['msg']));
  return messages.length === 0 ? undefined : messages.filter((message) => message !== undefined).join('; ');
}

function toWord(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value);
}
