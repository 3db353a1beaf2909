import { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords, type ProviderWords } from '../../failures/explain-failure';
import type { ResponseHeaders } from '../../failures/read-retry-after';
import { asRecord, asText, parseJson } from '../../wire/json-value';

/** What the service's exceptions mean, where their own status says less. Names are compared in lower case. */
const STATUS_OF_EXCEPTION: Readonly<Record<string, number>> = {
  accessdeniedexception: 403,
  expiredtokenexception: 403,
  incompletesignatureexception: 403,
  invalidsignatureexception: 403,
  missingauthenticationtokenexception: 403,
  unrecognizedclientexception: 403,
  internalserverexception: 500,
  modelerrorexception: 424,
  modelnotreadyexception: 503,
  modelstreamerrorexception: 502,
  modeltimeoutexception: 408,
  resourcenotfoundexception: 404,
  servicequotaexceededexception: 429,
  serviceunavailableexception: 503,
  throttlingexception: 429,
  validationexception: 400,
};

/** The catalogue names a model that this account or region does not have: another provider may. */
const NO_SUCH_MODEL = /model identifier is invalid|on-demand throughput isn.t supported|end of its life/i;

export function statusOfException(name: string): number | undefined {
  return STATUS_OF_EXCEPTION[name.toLowerCase()];
}

/** `{message}` in the body and the exception's name in a header. */
export function readError(status: number, headers: ResponseHeaders, text: string, secrets: readonly string[]): GatewayError {
  const words = readWords(headers, text);
  const meant = NO_SUCH_MODEL.test(words.message) ? 404 : (statusOfException(words.type ?? '') ?? status);
  // A failed model is no failed request: it may go well the next time, and elsewhere.
  const error = explainFailure({ status: meant === 424 ? 502 : meant, headers, words, secrets });
  return new GatewayError(error.code, error.message, { ...error.details, upstream: { ...error.details.upstream, status } });
}

function readWords(headers: ResponseHeaders, text: string): ProviderWords {
  const body = asRecord(parseJson(text));
  const reported = readProviderWords(text);
  const header = headers['x-amzn-errortype'];
  const name = asText(Array.isArray(header) ? header[0] : header) ?? asText(body?.['__type']);
  // `ValidationException:http://…` in the header, `com.amazon.coral.service#ValidationException` in the body.
  const type = name?.split(':')[0]?.split('#').at(-1);
  const message = asText(body?.['Message']) ?? (body !== undefined && reported.message === '' ? '' : reported.message);
  return { message, ...(type === undefined || type === '' ? {} : { type }) };
}
