import type { JsonSchema } from './convert-schemas';
import { referToHeaders } from './describe-headers';

const TEXT: JsonSchema = { type: 'string' };

/** What a process needs of others, where that is asked for. */
const VERBOSE: JsonSchema = {
  ...{ name: 'verbose', in: 'query', required: false, allowEmptyValue: true, schema: TEXT },
  description: 'Names the stores and services that the process needs, and which of them are away.',
};
const DEPENDENCIES: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { name: TEXT, status: { enum: ['there', 'away'] }, problem: TEXT },
    required: ['name', 'status'],
  },
};

/** Pages that no row of the endpoint table stands for. */
export function describeServicePages(): Record<string, JsonSchema> {
  const status = (word: string): JsonSchema => ({
    'application/json': {
      schema: { type: 'object', properties: { status: { const: word }, dependencies: DEPENDENCIES }, required: ['status'] },
    },
  });
  return {
    '/': { get: describeRootPage() },
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
    '/schemas/configuration.json': { get: schemaPage('configuration-schema', 'What editors check a configuration document by') },
    '/schemas/usage-event': { get: schemaPage('usage-event-schema', 'What is in a record of the topic weir.usage.v1') },
    '/schemas/usage-manifest': {
      get: schemaPage('usage-manifest-schema', 'What is in the manifest of a day of usage that is exported as files'),
    },
    '/docs': {
      get: page({ id: 'docs', summary: 'This document, rendered', content: { 'text/html': { schema: TEXT } }, headers: ['etag'] }),
    },
    '/healthz': {
      get: { ...page({ id: 'healthz', summary: 'Whether the process is alive', content: status('alive') }), parameters: [VERBOSE] },
    },
    '/readyz': {
      get: {
        ...page({ id: 'readyz', summary: 'Whether requests can be served', content: status('ready') }),
        parameters: [VERBOSE],
        responses: {
          '200': describeResponse('Requests can be served.', status('ready')),
          '503': describeResponse('Requests cannot be served, and why.', {
            'application/json': {
              schema: {
                type: 'object',
                properties: { status: { const: 'not ready' }, problems: { type: 'array', items: TEXT }, dependencies: DEPENDENCIES },
                required: ['status', 'problems'],
              },
            },
          }),
        },
      },
    },
    '/metrics': {
      servers: [{ url: 'http://127.0.0.1:9460', description: 'The port for metrics, METRICS_PORT.' }],
      get: {
        ...page({ id: 'metrics', summary: 'Metrics for Prometheus', content: {} }),
        description:
          'Served at a port of its own, to loopback and private addresses only; a 404 for all others, and at the port that callers use.',
        responses: {
          '200': describeResponse('The metrics.', { 'text/plain': { schema: TEXT } }),
          '404': describeResponse('The caller’s address is neither loopback nor private.', REFUSED),
        },
      },
    },
  };
}

function describeRootPage(): JsonSchema {
  const content: JsonSchema = { 'application/json': { schema: { type: 'object', properties: { name: TEXT } } } };
  return {
    ...page({ id: 'root', summary: 'What this is', content }),
    responses: {
      '200': describeResponse('What this is.', content),
      '302': describeResponse('To the console, for a browser: one that accepts `text/html`.', {}),
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
      'Takes the access token of a person as bearer token, not an API key: of the provider of OpenID Connect or of the Keycloak that is set up for the gateway, else it is a 404. With the `organization_id` of one of the person’s organizations, `session` has a key for the management interface that lasts an hour and may do what the person’s roles allow.',
    security: [{ bearer: [] }],
    requestBody: { required: false, content: { 'application/json': { schema: SESSION_BODY } } },
    responses: {
      '200': describeResponse('The person and their organizations.', content),
      '201': describeResponse(
        'The same, for a person without an organization: `created` has the organization that was made for them and its first key, shown this once.',
        content,
      ),
      '400': describeResponse('The body is not valid.', REFUSED),
      '401': describeResponse('No token.', REFUSED),
      '403': describeResponse(
        'The token is unknown or expired, or its session has ended; or its e-mail address belongs to another account and is not verified.',
        REFUSED,
      ),
      '404': describeResponse('Signing in is not set up here, or the person is no member of that organization.', REFUSED),
      '502': describeResponse('The identity provider failed.', REFUSED),
      '503': describeResponse('Not at this moment.', REFUSED, ['retry-after']),
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
      '200': describeResponse('Which of the tokens were keys; each is named by its SHA-256.', {
        'application/json': { schema: { type: 'array', items: item } },
      }),
      '400': describeResponse('The body is not a report.', REFUSED),
      '403': describeResponse('The signature is missing or wrong.', REFUSED),
      '404': describeResponse('Reports are not accepted here.', REFUSED),
      '413': describeResponse('The body is larger than a mebibyte.', REFUSED),
      '429': describeResponse('Too many reports without a valid signature. Try again later.', REFUSED, ['retry-after']),
      '503': describeResponse('The scanner’s public keys, or the database, cannot be read at the moment.', REFUSED, ['retry-after']),
    },
  };
}

function textMembers(names: readonly string[]): JsonSchema {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, TEXT])), required: names };
}

type Page = { readonly id: string; readonly summary: string; readonly content: JsonSchema; readonly headers?: readonly string[] };

function page({ id: operationId, summary, content, headers = [] }: Page): JsonSchema {
  return { operationId, tags: ['Service'], summary, security: [], responses: { '200': describeResponse(`${summary}.`, content, headers) } };
}

function describeResponse(description: string, content: JsonSchema, headers: readonly string[] = []): JsonSchema {
  const refusal = content === REFUSED ? ['x-should-retry'] : [];
  return { description, headers: referToHeaders(['x-request-id', ...refusal, ...headers]), content };
}

function schemaPage(id: string, summary: string): JsonSchema {
  return page({ id, summary, content: { 'application/schema+json': { schema: { type: 'object' } } }, headers: ['etag'] });
}
