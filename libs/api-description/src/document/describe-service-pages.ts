import type { JsonSchema } from './convert-schemas';
import { referToHeaders } from './describe-headers';

const TEXT: JsonSchema = { type: 'string' };

/** Pages that no row of the endpoint table stands for. */
export function describeServicePages(): Record<string, JsonSchema> {
  const status = (word: string): JsonSchema => ({
    'application/json': { schema: { type: 'object', properties: { status: { const: word } }, required: ['status'] } },
  });
  return {
    '/': {
      get: page({
        id: 'root',
        summary: 'What this is',
        content: { 'application/json': { schema: { type: 'object', properties: { name: TEXT } } } },
      }),
    },
    '/v1/session': { post: describeSessionPage() },
    '/internal/secret-alert': { post: describeSecretAlertPage() },
    '/openapi.json': {
      get: page({
        id: 'openapi',
        summary: 'This document',
        content: { 'application/json': { schema: { type: 'object' } } },
        headers: ['etag'],
      }),
    },
    '/docs': {
      get: page({ id: 'docs', summary: 'This document, rendered', content: { 'text/html': { schema: TEXT } }, headers: ['etag'] }),
    },
    '/healthz': { get: page({ id: 'healthz', summary: 'Does the process live', content: status('alive') }) },
    '/readyz': {
      get: {
        ...page({ id: 'readyz', summary: 'Would a request succeed', content: status('ready') }),
        responses: {
          '200': answer('Yes.', status('ready')),
          '503': answer('No, and why.', {
            'application/json': {
              schema: {
                type: 'object',
                properties: { status: { const: 'not ready' }, problems: { type: 'array', items: TEXT } },
                required: ['status', 'problems'],
              },
            },
          }),
        },
      },
    },
    '/metrics': {
      servers: [{ url: 'http://127.0.0.1:9460', description: 'The port of its own, METRICS_PORT.' }],
      get: {
        ...page({ id: 'metrics', summary: 'Metrics for Prometheus', content: {} }),
        description: 'At a port of its own, for loopback and private addresses; a 404 for everybody else, and where callers ask.',
        responses: {
          '200': answer('The metrics.', { 'text/plain': { schema: TEXT } }),
          '404': answer('For callers from elsewhere.', REFUSED),
        },
      },
    },
  };
}

const REFUSED: JsonSchema = { 'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } } };

const SESSION_BODY: JsonSchema = {
  type: 'object',
  properties: { organization_id: { type: 'string', format: 'uuid' } },
  additionalProperties: false,
};

function describeSessionPage(): JsonSchema {
  const person = textMembers(['user_id', 'user_email', 'first_name', 'last_name']);
  const organizations = { type: 'array', items: textMembers(['id', 'name', 'role']) };
  const made = { anyOf: [textMembers(['organization_id', 'api_key_id', 'api_key']), { type: 'null' }] };
  const opened = textMembers(['organization_id', 'api_key_id', 'api_key', 'expires_at']);
  const groups = { type: 'array', items: textMembers(['id', 'name', 'role']) };
  const properties = { ...(opened['properties'] as object), is_administrator: { type: 'boolean' }, groups };
  const session = { anyOf: [{ ...opened, properties }, { type: 'null' }] };
  const content: JsonSchema = {
    'application/json': {
      schema: {
        type: 'object',
        properties: { user: person, organizations, created: made, session },
        required: ['user', 'organizations', 'created', 'session'],
      },
    },
  };
  return {
    operationId: 'open-session',
    tags: ['Members'],
    summary: 'Who has signed in',
    description:
      'With the access token of a person as bearer, where the gateway knows a Keycloak; a 404 elsewhere. No API key opens it. With an `organization_id` of theirs, `session` has a key for the management interface that lasts an hour and reaches as far as the person’s roles do.',
    security: [{ bearer: [] }],
    requestBody: { required: false, content: { 'application/json': { schema: SESSION_BODY } } },
    responses: {
      '200': answer('Who it is, and where they belong.', content),
      '201': answer('The same, with the organization that was made because none was left, and its first key, shown this once.', content),
      '400': answer('A body that is none.', REFUSED),
      '401': answer('No token.', REFUSED),
      '403': answer('A session that is unknown, expired or ended; an address that is somebody else’s and not proven.', REFUSED),
      '404': answer('People do not sign in here, or not a member of that organization.', REFUSED),
      '502': answer('The identity provider failed.', REFUSED),
      '503': answer('Not at this moment.', REFUSED, ['retry-after']),
    },
  };
}

function describeSecretAlertPage(): JsonSchema {
  const found = { ...textMembers(['token', 'type']), properties: { token: TEXT, type: TEXT, url: TEXT, source: TEXT } };
  const verdict = textMembers(['token_hash', 'token_type']);
  const label = { enum: ['true_positive', 'false_positive'] };
  const item = {
    type: 'object',
    properties: { ...(verdict['properties'] as object), label },
    required: ['token_hash', 'token_type', 'label'],
  };
  const header = (name: string): JsonSchema => ({ name, in: 'header', required: true, schema: TEXT });
  return {
    operationId: 'report-exposed-keys',
    tags: ['Service'],
    summary: 'Keys that were found in public',
    description:
      'For the scanner whose public keys the settings name, by GitHub’s secret scanning partner programme; a 404 where they name none. Every key in a report that is signed by it is revoked.',
    security: [],
    parameters: [header('Github-Public-Key-Identifier'), header('Github-Public-Key-Signature')],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'array', maxItems: 5000, items: found } } } },
    responses: {
      '200': answer('Which of them were keys, each by the SHA-256 of its token.', {
        'application/json': { schema: { type: 'array', items: item } },
      }),
      '400': answer('No such report.', REFUSED),
      '403': answer('A signature that is missing or not right.', REFUSED),
      '404': answer('Reports are taken from no one.', REFUSED),
      '413': answer('More than a mebibyte.', REFUSED),
      '429': answer('Too many reports without a right signature. Try again later.', REFUSED, ['retry-after']),
      '503': answer('The scanner’s public keys, or the database, cannot be read at the moment.', REFUSED, ['retry-after']),
    },
  };
}

function textMembers(names: readonly string[]): JsonSchema {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, TEXT])), required: names };
}

type Page = { readonly id: string; readonly summary: string; readonly content: JsonSchema; readonly headers?: readonly string[] };

function page({ id: operationId, summary, content, headers = [] }: Page): JsonSchema {
  return { operationId, tags: ['Service'], summary, security: [], responses: { '200': answer(`${summary}.`, content, headers) } };
}

function answer(description: string, content: JsonSchema, headers: readonly string[] = []): JsonSchema {
  const refusal = content === REFUSED ? ['x-should-retry'] : [];
  return { description, headers: referToHeaders(['x-request-id', ...refusal, ...headers]), content };
}
