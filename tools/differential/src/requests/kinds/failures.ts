import { fail, frames, hangUp, raw, say, silence } from '../../upstream/replies';
import type { ReplyMaker } from '../../upstream/reply';
import type { Kind } from '../request';
import { ask, nameOf, streamed, WAYS } from './bodies';

const openAi = (message: string, code: string | null, param: string | null = null): object => ({
  error: { message, type: 'invalid_request_error', param, code },
});
const anthropic = (type: string, message: string): object => ({ type: 'error', error: { type, message }, request_id: 'req_upstream' });

/** What vendors return instead of a reply. */
const STATUSES: Readonly<Record<string, ReplyMaker>> = {
  400: fail(400, openAi('This model’s maximum context length is 128000 tokens.', 'context_length_exceeded', 'messages')),
  'anthropic-400': fail(400, anthropic('invalid_request_error', 'messages: at least one message is required')),
  401: fail(401, openAi('Incorrect API key provided: key-of-openai', 'invalid_api_key')),
  402: fail(402, openAi('Insufficient funds', 'billing')),
  403: fail(403, openAi('Not allowed in this country', 'unsupported_country')),
  404: fail(404, openAi('The model does not exist', 'model_not_found')),
  409: fail(409, openAi('Conflict', null)),
  413: fail(413, anthropic('request_too_large', 'Request exceeds the maximum size')),
  422: fail(422, { detail: [{ loc: ['body', 'messages'], msg: 'field required', type: 'value_error' }] }),
  429: fail(429, openAi('Rate limit reached', 'rate_limit_exceeded'), { 'retry-after': '7', 'x-ratelimit-remaining-requests': '0' }),
  500: fail(500, openAi('The server had an error', null)),
  502: fail(502, '<html><body>Bad gateway</body></html>', { 'content-type': 'text/html' }),
  503: fail(503, ''),
  504: fail(504, 'upstream request timeout', { 'content-type': 'text/plain' }),
  529: fail(529, anthropic('overloaded_error', 'Overloaded')),
  302: fail(302, '', { location: 'https://elsewhere.example/' }),
  'error-in-200': fail(200, openAi('An error that looks well', 'odd')),
  'no-json': raw('this is no JSON'),
  'no-object': raw('[1,2,3]'),
  nothing: raw(''),
  'hang-up': hangUp(),
  half: say(undefined, { cutAfter: 0 }),
};

const statusKinds = Object.entries(STATUSES).flatMap(([name, reply]) =>
  WAYS.slice(0, 6).map((way): Kind => ({
    id: `upstream:${name}:${nameOf(way)}`,
    isIndependent: true,
    weight: 0.4,
    make: ({ mark, count }) => [ask(way[0], way[1], mark, { more: count % 2 === 1 ? streamed(way[0]) : {}, replies: [reply] })],
  })),
);

/** Streams that do not end as they should. */
const BROKEN: Readonly<Record<string, ReplyMaker>> = {
  'cut-0': say(undefined, { cutAfter: 0 }),
  'cut-1': say(undefined, { cutAfter: 1 }),
  'cut-4': say(undefined, { cutAfter: 4 }),
  'cut-10': say(undefined, { cutAfter: 10 }),
  'end-4': (question) => ({
    ...say(undefined, { cutAfter: 4 })(question),
    steps: say(undefined, { cutAfter: 4 })(question).steps.slice(0, -1),
  }),
  'error-frame': frames(['data: {"error":{"message":"It broke","type":"server_error","code":"broke"}}']),
  'error-event': frames(['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}']),
  garbage: frames(['data: {"id":', 'data: [DONE]']),
  'no-frames': frames([]),
  'only-end': frames(['data: [DONE]']),
  'whole-instead': (question) => say()({ ...question, isStream: false }),
  'html-instead': raw('<html></html>', { 'content-type': 'text/html' }),
};

const brokenKinds = Object.entries(BROKEN).flatMap(([name, reply]) =>
  WAYS.slice(0, 8).map((way): Kind => ({
    id: `broken:${name}:${nameOf(way)}`,
    isIndependent: true,
    weight: 0.4,
    make: ({ mark, count }) => [ask(way[0], way[1], mark, { more: streamed(way[0], count % 2 === 0), replies: [reply] })],
  })),
);

/** The provider says nothing for longer than it may. */
const silent = WAYS.slice(0, 4).map((way): Kind => ({
  id: `silent:${nameOf(way)}`,
  most: 1,
  make: ({ mark }) => [
    ask(way[0], way[1], mark, { replies: [silence()] }),
    ask(way[0], way[1], mark, { more: streamed(way[0]), replies: [say(undefined, { waitAfter: 4 })] }),
  ],
}));

export const FAILURE_KINDS: readonly Kind[] = [...statusKinds, ...brokenKinds, ...silent];
