import type { Modality } from './modality';

export type ServiceId = 'edge-router' | 'chat-translator' | 'media-service' | 'management-api';

/** In which shape an endpoint's callers expect errors. */
export type ErrorDialect = 'gateway' | 'messages' | 'access-list';

/** The wire format a chat client speaks. */
export type ChatDialect = 'chat-completions' | 'responses' | 'messages';

export type Permission =
  | { readonly kind: 'public' }
  | { readonly kind: 'key' }
  | { readonly kind: 'completions'; readonly level: 'read' | 'write' }
  | { readonly kind: 'manage'; readonly level: 'read' | 'write' };

export type EndpointRow = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Express path syntax. */
  readonly path: string;
  readonly service: ServiceId;
  readonly modality?: Modality;
  readonly body: 'none' | 'json' | 'form' | 'json-or-form';
  readonly permission: Permission;
  /** Which header wins when a caller sends two different keys. */
  readonly preferredCredential: 'bearer' | 'x-api-key';
  readonly errorDialect: ErrorDialect;
  /** For chat endpoints: the dialect the caller speaks. */
  readonly dialect?: ChatDialect;
};

const infer: Permission = { kind: 'completions', level: 'write' };

function inference(id: string, path: string, service: ServiceId, modality: Modality, more: Partial<EndpointRow> = {}): EndpointRow {
  return {
    id,
    method: 'POST',
    path,
    service,
    modality,
    body: 'json',
    permission: infer,
    preferredCredential: 'bearer',
    errorDialect: 'gateway',
    ...more,
  };
}

function list(id: string, path: string): EndpointRow {
  return {
    id,
    method: 'GET',
    path,
    service: 'edge-router',
    body: 'none',
    permission: { kind: 'public' },
    preferredCredential: 'bearer',
    errorDialect: 'gateway',
  };
}

function manage(id: string, method: EndpointRow['method'], path: string, more: Partial<EndpointRow> = {}): EndpointRow {
  const writes = method !== 'GET';
  return {
    id,
    method,
    path,
    service: 'management-api',
    body: writes ? 'json' : 'none',
    permission: { kind: 'manage', level: writes ? 'write' : 'read' },
    preferredCredential: 'bearer',
    errorDialect: 'gateway',
    ...more,
  };
}

/** THE endpoint table: routers, limits, metric labels, documentation and tests loop over it. */
export const ENDPOINTS = [
  inference('chat-completions', '/v1/chat/completions', 'chat-translator', 'chat', { dialect: 'chat-completions' }),
  inference('responses', '/v1/responses', 'chat-translator', 'chat', { dialect: 'responses' }),
  inference('messages', '/v1/messages', 'chat-translator', 'chat', {
    dialect: 'messages',
    errorDialect: 'messages',
    preferredCredential: 'x-api-key',
  }),
  inference('embeddings', '/v1/embeddings', 'chat-translator', 'embedding'),
  inference('image-generations', '/v1/images/generations', 'media-service', 'image'),
  inference('image-edits', '/v1/images/edits', 'media-service', 'image', { body: 'json-or-form' }),
  inference('speech', '/v1/audio/speech', 'media-service', 'speech'),
  inference('transcriptions', '/v1/audio/transcriptions', 'media-service', 'transcription', { body: 'form' }),
  list('models', '/v1/models'),
  list('models-chat', '/v1/models/chat'),
  list('models-embedding', '/v1/models/embedding'),
  list('models-image', '/v1/models/image'),
  list('models-transcription', '/v1/models/transcription'),
  list('models-speech', '/v1/models/speech'),
  list('models-all', '/v1/models/all'),
  list('models-managed', '/v1/models/managed'),
  { ...list('auth-check', '/v1/auth/check'), permission: { kind: 'key' } },
  manage('create-access-list', 'POST', '/v1/manage/access-list', { errorDialect: 'access-list' }),
  manage('list-access-lists', 'GET', '/v1/manage/access-list', { errorDialect: 'access-list' }),
  manage('read-access-list', 'GET', '/v1/manage/access-list/:id', { errorDialect: 'access-list' }),
  manage('update-access-list', 'PATCH', '/v1/manage/access-list/:id', { errorDialect: 'access-list' }),
  manage('create-api-key', 'POST', '/v1/manage/apikey'),
  manage('list-api-keys', 'GET', '/v1/manage/apikey'),
  manage('read-calling-api-key', 'GET', '/v1/manage/apikey/self', { permission: { kind: 'key' } }),
  manage('read-calling-api-key-usage', 'GET', '/v1/manage/apikey/self/usage', { permission: { kind: 'key' } }),
  manage('read-api-key', 'GET', '/v1/manage/apikey/:id'),
  manage('revoke-api-key', 'DELETE', '/v1/manage/apikey/:id', { body: 'none' }),
  manage('set-api-key-labels', 'POST', '/v1/manage/apikey/:id/label'),
  manage('set-api-key-limit', 'POST', '/v1/manage/apikey/:id/limit'),
  manage('set-api-key-access-list', 'POST', '/v1/manage/apikey/:id/access-list'),
  manage('read-api-key-usage', 'GET', '/v1/manage/apikey/:id/usage'),
  manage('read-organization-usage', 'GET', '/v1/manage/org/usage'),
] as const satisfies readonly EndpointRow[];

export type EndpointId = (typeof ENDPOINTS)[number]['id'] | (string & {});

const byId = new Map<string, EndpointRow>(ENDPOINTS.map((row) => [row.id, row]));

/** Answers the row of an endpoint that must exist. */
export function getEndpoint(id: string): EndpointRow {
  const row = byId.get(id);
  if (row === undefined) throw new Error(`endpoint ${id} is not in the endpoint table`);
  return row;
}
