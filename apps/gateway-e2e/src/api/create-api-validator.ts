import type { ApiDocument } from '@weir/api-description';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export type ReceivedReply = {
  readonly status: number;
  readonly headers: Headers;
  /** Text of JSON and events; of other media types nothing is looked at. */
  readonly text: string;
};

export type ApiValidator = {
  /** Why a body is none for this operation; empty when it is. */
  checkBody(operationId: string, body: unknown): string[];
  /** What in a reply is not as the document says. */
  checkReply(operationId: string, reply: ReceivedReply): string[];
};

type Media = { readonly schema: { readonly contentSchema?: { readonly anyOf: readonly { readonly $ref: string }[] } } };
type Described = {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, Media>> }>>;
};

/** Headers that only some replies of their kind have. */
const OCCASIONAL =
  /^(retry-after|idempotency-replayed|x-weir-(dropped|approximated|max-tokens-clamped|fallback-model|cost(-estimate)?|usage|cache|idempotency|guardrail|limits-unavailable|(provider|overhead|queued)-ms)|(x|anthropic)-ratelimit-.*)$/;
/** Headers that mean something to callers: one that is not described is a fault. */
const RELEVANT = /^(x-weir-|(x|anthropic)-ratelimit-|idempotency-|retry-after$|request-id$)/;

/** Holds what the gateway says against what the document promises. */
export function createApiValidator(document: ApiDocument): ApiValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  const operations = new Map(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => [String(operation['operationId']), operation as unknown as Described] as const),
    ),
  );
  const find = (operationId: string): Described => {
    const found = operations.get(operationId);
    if (found === undefined) throw new Error(`${operationId} is not in the document`);
    return found;
  };
  const check = (schema: object, value: unknown): string[] => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object);
    return validate(value) ? [] : [ajv.errorsText(validate.errors).slice(0, 1000)];
  };

  const checkEvents = ({ schema }: Media, text: string): string[] => {
    const shapes = schema.contentSchema?.anyOf ?? [];
    return parseEvents(text).flatMap(({ name, data }) => {
      if (data === '[DONE]') return [];
      // Each shape is called after its event; errors have names of their own.
      const named = shapes.filter(({ $ref }) => (name === 'error' ? $ref.endsWith('Error') : $ref.endsWith(`.${name ?? ''}`)));
      if (name !== undefined && named.length === 0) return [`the event ${name} is not described`];
      return check({ anyOf: name === undefined ? shapes : named }, JSON.parse(data)).map((problem) => `${name ?? 'event'}: ${problem}`);
    });
  };

  return {
    checkBody: (operationId, body) => check(find(operationId).requestBody?.content['application/json']?.schema ?? (false as never), body),
    checkReply: (operationId, { status, headers, text }) => {
      const described = find(operationId).responses[String(status)];
      if (described === undefined) return [`status ${status} is not described: ${text.slice(0, 300)}`];
      const names = new Set(Object.keys(described.headers ?? {}));
      const missing = [
        ...[...names].filter((name) => !OCCASIONAL.test(name) && !headers.has(name)).map((name) => `the header ${name} is missing`),
        ...[...headers.keys()]
          .filter((name) => RELEVANT.test(name) && !names.has(name))
          .map((name) => `the header ${name} is not described`),
      ];
      if (described.content === undefined) return text === '' ? missing : [...missing, `has a body: ${text.slice(0, 100)}`];
      const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
      const media = Object.entries(described.content).find(([one]) => one === '*/*' || one.split(';')[0] === type)?.[1];
      if (media === undefined) return [...missing, `the media type ${type} is not described`];
      if (type === 'text/event-stream') return [...missing, ...checkEvents(media, text)];
      return /^application\/(scim\+)?json$/.test(type) ? [...missing, ...check(media.schema, JSON.parse(text))] : missing;
    },
  };
}

type ReceivedEvent = { readonly name: string | undefined; readonly data: string };

function parseEvents(text: string): ReceivedEvent[] {
  return text.split('\n\n').flatMap((frame) => {
    const lines = frame.split('\n');
    const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length));
    const name = lines.find((line) => line.startsWith('event: '))?.slice('event: '.length);
    return data.length === 0 ? [] : [{ name, data: data.join('\n') }];
  });
}
