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

function inference(id: string, path: string, more: Pick<EndpointRow, 'service' | 'modality'> & Partial<EndpointRow>): EndpointRow {
  return {
    id,
    method: 'POST',
    path,
    body: 'json',
    permission: infer,
    preferredCredential: 'bearer',
    errorDialect: 'gateway',
    ...more,
  };
}

/** What callers keep here to name it in later requests. Needs no model. */
function files(id: string, route: string, more: Partial<EndpointRow> = {}): EndpointRow {
  const [method, path] = route.split(' ') as [EndpointRow['method'], string];
  return { ...inference(id, path, { service: 'media-service' }), method, body: 'none', ...more };
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

/** `route` is a method and a path: "GET /v1/manage/apikey". */
function manage(id: string, route: string, more: Partial<EndpointRow> = {}): EndpointRow {
  const [method, path] = route.split(' ') as [EndpointRow['method'], string];
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
  inference('chat-completions', '/v1/chat/completions', { service: 'chat-translator', modality: 'chat', dialect: 'chat-completions' }),
  inference('responses', '/v1/responses', { service: 'chat-translator', modality: 'chat', dialect: 'responses' }),
  inference('messages', '/v1/messages', {
    service: 'chat-translator',
    modality: 'chat',
    dialect: 'messages',
    errorDialect: 'messages',
    preferredCredential: 'x-api-key',
  }),
  inference('count-tokens', '/v1/messages/count_tokens', {
    service: 'chat-translator',
    modality: 'chat',
    dialect: 'messages',
    errorDialect: 'messages',
    preferredCredential: 'x-api-key',
  }),
  inference('estimate', '/v1/estimate', { service: 'edge-router', modality: 'chat' }),
  inference('embeddings', '/v1/embeddings', { service: 'chat-translator', modality: 'embedding' }),
  inference('image-generations', '/v1/images/generations', { service: 'media-service', modality: 'image' }),
  inference('image-edits', '/v1/images/edits', { service: 'media-service', modality: 'image', body: 'json-or-form' }),
  inference('speech', '/v1/audio/speech', { service: 'media-service', modality: 'speech' }),
  inference('transcriptions', '/v1/audio/transcriptions', { service: 'media-service', modality: 'transcription', body: 'form' }),
  inference('translations', '/v1/audio/translations', { service: 'media-service', modality: 'transcription', body: 'form' }),
  files('create-file', 'POST /v1/files', { body: 'form' }),
  files('list-files', 'GET /v1/files'),
  files('read-file', 'GET /v1/files/:id'),
  files('read-file-content', 'GET /v1/files/:id/content'),
  files('delete-file', 'DELETE /v1/files/:id'),
  list('models', '/v1/models'),
  list('models-chat', '/v1/models/chat'),
  list('models-embedding', '/v1/models/embedding'),
  list('models-image', '/v1/models/image'),
  list('models-transcription', '/v1/models/transcription'),
  list('models-speech', '/v1/models/speech'),
  list('models-all', '/v1/models/all'),
  list('models-managed', '/v1/models/managed'),
  { ...list('auth-check', '/v1/auth/check'), permission: { kind: 'key' } },
  { ...list('generation', '/v1/generation/:request_id'), permission: { kind: 'key' } },
  { ...list('organization', '/v1/organization'), permission: { kind: 'key' } },
  { ...list('organization-finance', '/v1/organization/finance'), permission: { kind: 'manage', level: 'read' } },
  manage('create-access-list', 'POST /v1/manage/access-list', { errorDialect: 'access-list' }),
  manage('list-access-lists', 'GET /v1/manage/access-list', { errorDialect: 'access-list' }),
  manage('read-access-list', 'GET /v1/manage/access-list/:id', { errorDialect: 'access-list' }),
  manage('update-access-list', 'PATCH /v1/manage/access-list/:id', { errorDialect: 'access-list' }),
  manage('delete-access-list', 'DELETE /v1/manage/access-list/:id', { body: 'none', errorDialect: 'access-list' }),
  manage('create-api-key', 'POST /v1/manage/apikey'),
  manage('list-api-keys', 'GET /v1/manage/apikey'),
  manage('read-calling-api-key', 'GET /v1/manage/apikey/self', { permission: { kind: 'key' } }),
  manage('read-calling-api-key-usage', 'GET /v1/manage/apikey/self/usage', { permission: { kind: 'key' } }),
  manage('read-api-key', 'GET /v1/manage/apikey/:id'),
  manage('revoke-api-key', 'DELETE /v1/manage/apikey/:id', { body: 'none' }),
  manage('set-api-key-labels', 'POST /v1/manage/apikey/:id/label'),
  manage('set-api-key-limit', 'POST /v1/manage/apikey/:id/limit'),
  manage('set-api-key-access-list', 'POST /v1/manage/apikey/:id/access-list'),
  manage('set-api-key-group', 'POST /v1/manage/apikey/:id/group'),
  manage('set-api-key-expiry', 'POST /v1/manage/apikey/:id/expiry'),
  manage('rotate-api-key', 'POST /v1/manage/apikey/:id/rotate'),
  manage('read-api-key-usage', 'GET /v1/manage/apikey/:id/usage'),
  manage('create-group', 'POST /v1/manage/group'),
  manage('list-groups', 'GET /v1/manage/group'),
  manage('read-group', 'GET /v1/manage/group/:id'),
  manage('update-group', 'PATCH /v1/manage/group/:id'),
  manage('delete-group', 'DELETE /v1/manage/group/:id', { body: 'none' }),
  manage('set-group-labels', 'POST /v1/manage/group/:id/label'),
  manage('set-group-access-list', 'POST /v1/manage/group/:id/access-list'),
  manage('set-group-budget', 'POST /v1/manage/group/:id/budget'),
  manage('set-group-user-budget', 'POST /v1/manage/group/:id/budget/user'),
  manage('add-group-member', 'POST /v1/manage/group/:id/member'),
  manage('remove-group-member', 'DELETE /v1/manage/group/:id/member'),
  manage('set-group-member-role', 'PUT /v1/manage/group/:id/member/:member_id/role'),
  manage('set-group-member-limit', 'PUT /v1/manage/group/:id/member/:member_id/limit'),
  manage('set-group-member-rate-limit', 'PUT /v1/manage/group/:id/member/:member_id/rate-limit'),
  manage('set-group-member-budget', 'PUT /v1/manage/group/:id/member/:member_id/budget'),
  manage('list-members', 'GET /v1/manage/org/member'),
  manage('add-member', 'POST /v1/manage/org/member'),
  manage('offboard-member', 'DELETE /v1/manage/org/member/:id', { body: 'none' }),
  manage('read-organization-usage', 'GET /v1/manage/org/usage'),
  manage('export-organization-usage', 'GET /v1/manage/org/usage/export'),
  manage('read-reconciliation', 'GET /v1/manage/reconciliation'),
  manage('read-organization', 'GET /v1/manage/org'),
  manage('update-organization', 'PATCH /v1/manage/org'),
  manage('list-audit', 'GET /v1/manage/audit'),
  manage('create-provider-credential', 'POST /v1/manage/provider-credential'),
  manage('list-provider-credentials', 'GET /v1/manage/provider-credential'),
  manage('read-provider-credential', 'GET /v1/manage/provider-credential/:id'),
  manage('rotate-provider-credential', 'POST /v1/manage/provider-credential/:id/rotate'),
  manage('test-provider-credential', 'POST /v1/manage/provider-credential/:id/test', { body: 'none' }),
  manage('delete-provider-credential', 'DELETE /v1/manage/provider-credential/:id', { body: 'none' }),
  manage('create-policy', 'POST /v1/manage/policy'),
  manage('list-policies', 'GET /v1/manage/policy'),
  manage('read-policy', 'GET /v1/manage/policy/:name'),
  manage('replace-policy', 'PUT /v1/manage/policy/:name'),
  manage('delete-policy', 'DELETE /v1/manage/policy/:name', { body: 'none' }),
  manage('create-alias', 'POST /v1/manage/alias'),
  manage('list-aliases', 'GET /v1/manage/alias'),
  manage('read-alias', 'GET /v1/manage/alias/:name'),
  manage('replace-alias', 'PUT /v1/manage/alias/:name'),
  manage('delete-alias', 'DELETE /v1/manage/alias/:name', { body: 'none' }),
  manage('create-guardrail', 'POST /v1/manage/guardrail'),
  manage('list-guardrails', 'GET /v1/manage/guardrail'),
  manage('read-guardrail', 'GET /v1/manage/guardrail/:id'),
  manage('replace-guardrail', 'PUT /v1/manage/guardrail/:id'),
  manage('delete-guardrail', 'DELETE /v1/manage/guardrail/:id', { body: 'none' }),
  manage('read-balance', 'GET /v1/manage/balance'),
  manage('list-balance-history', 'GET /v1/manage/balance/history'),
  manage('read-auto-top-up', 'GET /v1/manage/balance/auto-top-up'),
  manage('set-auto-top-up', 'PUT /v1/manage/balance/auto-top-up'),
  manage('create-alert', 'POST /v1/manage/alert'),
  manage('list-alerts', 'GET /v1/manage/alert'),
  manage('delete-alert', 'DELETE /v1/manage/alert/:id', { body: 'none' }),
] as const satisfies readonly EndpointRow[];

const byId = new Map<string, EndpointRow>(ENDPOINTS.map((row) => [row.id, row]));

/** Answers the row of an endpoint that must exist. */
export function getEndpoint(id: string): EndpointRow {
  const row = byId.get(id);
  if (row === undefined) throw new Error(`endpoint ${id} is not in the endpoint table`);
  return row;
}
