import type { JsonSchema } from './convert-schemas';

const TEXT: JsonSchema = { type: 'string' };

/** Pages that no row of the endpoint table stands for: they need no key and belong to every process. */
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
    '/openapi.json': {
      get: page({
        id: 'openapi',
        summary: 'This document',
        content: { 'application/json': { schema: { type: 'object' } } },
        headers: ['etag'],
      }),
    },
    '/docs': { get: page({ id: 'docs', summary: 'This document, rendered', content: { 'text/html': { schema: TEXT } } }) },
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
      get: {
        ...page({ id: 'metrics', summary: 'Metrics for Prometheus', content: {} }),
        description: 'For loopback and private addresses; a 404 for everybody else.',
        responses: {
          '200': answer('The metrics.', { 'text/plain': { schema: TEXT } }),
          '404': answer('For callers from elsewhere.', { 'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } } }),
        },
      },
    },
  };
}

type Page = { readonly id: string; readonly summary: string; readonly content: JsonSchema; readonly headers?: readonly string[] };

function page({ id: operationId, summary, content, headers = [] }: Page): JsonSchema {
  return { operationId, tags: ['Service'], summary, security: [], responses: { '200': answer(`${summary}.`, content, headers) } };
}

function answer(description: string, content: JsonSchema, headers: readonly string[] = []): JsonSchema {
  const named = ['x-request-id', ...headers];
  return {
    description,
    headers: Object.fromEntries(named.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content,
  };
}
