import type { Modality } from './models/modality';

export type ServiceId = 'edge-router' | 'chat-translator' | 'media-service' | 'management-api';

/** In which shape an endpoint's callers expect errors. */
export type ErrorDialect = 'gateway' | 'messages' | 'access-list' | 'scim';

/** The wire format a chat client speaks. */
export type ChatDialect = 'chat-completions' | 'responses' | 'messages';

export type Permission =
  | { readonly kind: 'public' }
  | { readonly kind: 'key' }
  | { readonly kind: 'completions'; readonly level: 'read' | 'write' }
  | { readonly kind: 'contents'; readonly level: 'read' }
  | { readonly kind: 'manage'; readonly level: 'read' | 'write'; readonly who: ManagementRole };

/**
 * Who may call a management endpoint, besides the permission of the key: administrators of the operator's own organization; the
 * organization's administrators; administrators of groups too, within their groups; every member, for what is their own. Each
 * includes those before it.
 */
export type ManagementRole = 'operator' | 'organization-admin' | 'group-admin' | 'member';

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
  /** For chat endpoints: the dialect the caller speaks; of older completions, the one that their bodies are turned into. */
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

type ManageOptions = { readonly who: ManagementRole } & Partial<Omit<EndpointRow, 'id' | 'method' | 'path'>>;

/** `route` is a method and a path: "GET /v1/manage/apikey"; `who` has no default, so that every row says it. */
function manage(id: string, route: string, { who, ...more }: ManageOptions): EndpointRow {
  const [method, path] = route.split(' ') as [EndpointRow['method'], string];
  const writes = method !== 'GET';
  return {
    id,
    method,
    path,
    service: 'management-api',
    body: writes ? 'json' : 'none',
    permission: { kind: 'manage', level: writes ? 'write' : 'read', who },
    preferredCredential: 'bearer',
    errorDialect: 'gateway',
    ...more,
  };
}

/** A POST that changes nothing: administrators who may read may send it. */
const looksOnly = { who: 'organization-admin', permission: { kind: 'manage', level: 'read', who: 'organization-admin' } } as const;

/** Provisioning of members and groups by a directory, in the shape of SCIM 2.0 (RFC 7644). */
function scim(id: string, route: string, more: Partial<EndpointRow> = {}): EndpointRow {
  const [method, path] = route.split(' ') as [EndpointRow['method'], string];
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return manage(id, `${method} /scim/v2${path}`, {
    ...{ who: 'organization-admin', errorDialect: 'scim', body: hasBody ? 'json' : 'none', ...more },
  });
}

/** THE endpoint table: routers, limits, metric labels, documentation and tests loop over it. */
export const ENDPOINTS = [
  inference('chat-completions', '/v1/chat/completions', { service: 'chat-translator', modality: 'chat', dialect: 'chat-completions' }),
  inference('completions', '/v1/completions', { service: 'chat-translator', modality: 'chat', dialect: 'chat-completions' }),
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
  inference('count-input-tokens', '/v1/responses/input_tokens', { service: 'chat-translator', modality: 'chat', dialect: 'responses' }),
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
  list('read-model', '/v1/models/:model'),
  { ...list('plan', '/v1/plan'), method: 'POST', body: 'json', permission: { kind: 'key' } },
  { ...list('limits', '/v1/limits'), permission: { kind: 'key' } },
  { ...list('auth-check', '/v1/auth/check'), permission: { kind: 'key' } },
  { ...list('list-generations', '/v1/generation'), permission: { kind: 'key' } },
  { ...list('generation', '/v1/generation/:request_id'), permission: { kind: 'key' } },
  { ...list('organization', '/v1/organization'), permission: { kind: 'key' } },
  { ...list('organization-finance', '/v1/organization/finance'), permission: { kind: 'manage', level: 'read', who: 'organization-admin' } },
  manage('create-access-list', 'POST /v1/manage/access-list', { who: 'organization-admin', errorDialect: 'access-list' }),
  manage('list-access-lists', 'GET /v1/manage/access-list', { who: 'organization-admin', errorDialect: 'access-list' }),
  manage('preview-access-list', 'POST /v1/manage/access-list/preview', { ...looksOnly, errorDialect: 'access-list' }),
  manage('read-access-list', 'GET /v1/manage/access-list/:id', { who: 'organization-admin', errorDialect: 'access-list' }),
  manage('update-access-list', 'PATCH /v1/manage/access-list/:id', { who: 'organization-admin', errorDialect: 'access-list' }),
  manage('delete-access-list', 'DELETE /v1/manage/access-list/:id', {
    who: 'organization-admin',
    body: 'none',
    errorDialect: 'access-list',
  }),
  manage('create-api-key', 'POST /v1/manage/apikey', { who: 'member' }),
  manage('list-api-keys', 'GET /v1/manage/apikey', { who: 'member' }),
  manage('read-calling-api-key', 'GET /v1/manage/apikey/self', { who: 'member', permission: { kind: 'key' } }),
  manage('read-calling-api-key-usage', 'GET /v1/manage/apikey/self/usage', { who: 'member', permission: { kind: 'key' } }),
  manage('read-calling-api-key-for-editors', 'GET /x/apikey', { who: 'member', permission: { kind: 'key' } }),
  manage('read-api-key', 'GET /v1/manage/apikey/:id', { who: 'member' }),
  manage('revoke-api-key', 'DELETE /v1/manage/apikey/:id', { who: 'member', body: 'none' }),
  manage('set-api-key-labels', 'POST /v1/manage/apikey/:id/label', { who: 'member' }),
  manage('set-api-key-limit', 'POST /v1/manage/apikey/:id/limit', { who: 'group-admin' }),
  manage('set-api-key-access-list', 'POST /v1/manage/apikey/:id/access-list', { who: 'organization-admin' }),
  manage('set-api-key-group', 'POST /v1/manage/apikey/:id/group', { who: 'organization-admin' }),
  manage('set-api-key-expiry', 'POST /v1/manage/apikey/:id/expiry', { who: 'group-admin' }),
  manage('set-api-key-priority', 'POST /v1/manage/apikey/:id/priority', { who: 'organization-admin' }),
  manage('rotate-api-key', 'POST /v1/manage/apikey/:id/rotate', { who: 'member' }),
  manage('read-api-key-usage', 'GET /v1/manage/apikey/:id/usage', { who: 'member' }),
  manage('create-group', 'POST /v1/manage/group', { who: 'organization-admin' }),
  manage('list-groups', 'GET /v1/manage/group', { who: 'group-admin' }),
  manage('read-group', 'GET /v1/manage/group/:id', { who: 'group-admin' }),
  manage('update-group', 'PATCH /v1/manage/group/:id', { who: 'organization-admin' }),
  manage('delete-group', 'DELETE /v1/manage/group/:id', { who: 'organization-admin', body: 'none' }),
  manage('set-group-labels', 'POST /v1/manage/group/:id/label', { who: 'group-admin' }),
  manage('set-group-access-list', 'POST /v1/manage/group/:id/access-list', { who: 'organization-admin' }),
  manage('set-group-budget', 'POST /v1/manage/group/:id/budget', { who: 'organization-admin' }),
  manage('set-group-user-budget', 'POST /v1/manage/group/:id/budget/user', { who: 'organization-admin' }),
  manage('add-group-member', 'POST /v1/manage/group/:id/member', { who: 'group-admin' }),
  manage('remove-group-member', 'DELETE /v1/manage/group/:id/member', { who: 'group-admin' }),
  manage('set-group-member-role', 'PUT /v1/manage/group/:id/member/:member_id/role', { who: 'organization-admin' }),
  manage('set-group-member-limit', 'PUT /v1/manage/group/:id/member/:member_id/limit', { who: 'group-admin' }),
  manage('set-group-member-rate-limit', 'PUT /v1/manage/group/:id/member/:member_id/rate-limit', { who: 'group-admin' }),
  manage('set-group-member-budget', 'PUT /v1/manage/group/:id/member/:member_id/budget', { who: 'group-admin' }),
  manage('list-members', 'GET /v1/manage/org/member', { who: 'group-admin' }),
  manage('add-member', 'POST /v1/manage/org/member', { who: 'organization-admin' }),
  manage('set-member-role', 'PUT /v1/manage/org/member/:id/role', { who: 'organization-admin' }),
  manage('offboard-member', 'DELETE /v1/manage/org/member/:id', { who: 'organization-admin', body: 'none' }),
  manage('read-organization-usage', 'GET /v1/manage/org/usage', { who: 'member' }),
  manage('read-organization-performance', 'GET /v1/manage/org/performance', { who: 'member' }),
  manage('export-organization-usage', 'GET /v1/manage/org/usage/export', { who: 'organization-admin' }),
  manage('list-usage-exports', 'GET /v1/manage/org/usage/exports', { who: 'organization-admin' }),
  manage('read-reconciliation', 'GET /v1/manage/reconciliation', { who: 'organization-admin' }),
  manage('read-organization', 'GET /v1/manage/org', { who: 'organization-admin' }),
  manage('preview-organization', 'POST /v1/manage/org/preview', looksOnly),
  manage('update-organization', 'PATCH /v1/manage/org', { who: 'organization-admin' }),
  manage('read-contents', 'GET /v1/manage/generation/:request_id/content', {
    who: 'member',
    permission: { kind: 'contents', level: 'read' },
  }),
  manage('list-audit', 'GET /v1/manage/audit', { who: 'organization-admin' }),
  manage('export-audit', 'GET /v1/manage/audit/export', { who: 'organization-admin' }),
  manage('verify-audit', 'GET /v1/manage/audit/verification', { who: 'organization-admin' }),
  manage('export-configuration', 'GET /v1/manage/configuration', { who: 'organization-admin' }),
  manage('preview-configuration', 'POST /v1/manage/configuration/preview', looksOnly),
  manage('apply-configuration', 'PUT /v1/manage/configuration', { who: 'organization-admin' }),
  manage('list-providers', 'GET /v1/manage/provider', { who: 'organization-admin' }),
  manage('create-provider-credential', 'POST /v1/manage/provider-credential', { who: 'organization-admin' }),
  manage('list-provider-credentials', 'GET /v1/manage/provider-credential', { who: 'organization-admin' }),
  manage('read-provider-credential', 'GET /v1/manage/provider-credential/:id', { who: 'organization-admin' }),
  manage('rotate-provider-credential', 'POST /v1/manage/provider-credential/:id/rotate', { who: 'organization-admin' }),
  manage('test-provider-credential', 'POST /v1/manage/provider-credential/:id/test', { who: 'organization-admin', body: 'none' }),
  manage('delete-provider-credential', 'DELETE /v1/manage/provider-credential/:id', { who: 'organization-admin', body: 'none' }),
  manage('create-policy', 'POST /v1/manage/policy', { who: 'organization-admin' }),
  manage('list-policies', 'GET /v1/manage/policy', { who: 'organization-admin' }),
  manage('read-policy', 'GET /v1/manage/policy/:name', { who: 'organization-admin' }),
  manage('replace-policy', 'PUT /v1/manage/policy/:name', { who: 'organization-admin' }),
  manage('delete-policy', 'DELETE /v1/manage/policy/:name', { who: 'organization-admin', body: 'none' }),
  manage('create-alias', 'POST /v1/manage/alias', { who: 'organization-admin' }),
  manage('list-aliases', 'GET /v1/manage/alias', { who: 'organization-admin' }),
  manage('read-alias', 'GET /v1/manage/alias/:name', { who: 'organization-admin' }),
  manage('replace-alias', 'PUT /v1/manage/alias/:name', { who: 'organization-admin' }),
  manage('delete-alias', 'DELETE /v1/manage/alias/:name', { who: 'organization-admin', body: 'none' }),
  manage('create-guardrail', 'POST /v1/manage/guardrail', { who: 'organization-admin' }),
  manage('list-guardrails', 'GET /v1/manage/guardrail', { who: 'organization-admin' }),
  manage('test-guardrail', 'POST /v1/manage/guardrail/test', looksOnly),
  manage('read-guardrail', 'GET /v1/manage/guardrail/:id', { who: 'organization-admin' }),
  manage('replace-guardrail', 'PUT /v1/manage/guardrail/:id', { who: 'organization-admin' }),
  manage('delete-guardrail', 'DELETE /v1/manage/guardrail/:id', { who: 'organization-admin', body: 'none' }),
  manage('create-limit', 'POST /v1/manage/limit', { who: 'organization-admin' }),
  manage('list-limits', 'GET /v1/manage/limit', { who: 'organization-admin' }),
  manage('preview-limit', 'POST /v1/manage/limit/preview', looksOnly),
  manage('read-limit', 'GET /v1/manage/limit/:id', { who: 'organization-admin' }),
  manage('replace-limit', 'PUT /v1/manage/limit/:id', { who: 'organization-admin' }),
  manage('delete-limit', 'DELETE /v1/manage/limit/:id', { who: 'organization-admin', body: 'none' }),
  manage('read-exchange-rates', 'GET /v1/manage/exchange-rate', { who: 'organization-admin' }),
  manage('import-exchange-rates', 'POST /v1/manage/exchange-rate', { who: 'operator' }),
  manage('read-cost-centres', 'GET /v1/manage/cost-centre', { who: 'organization-admin' }),
  manage('replace-cost-centres', 'PUT /v1/manage/cost-centre', { who: 'organization-admin' }),
  manage('report-cost-centres', 'GET /v1/manage/cost-centre/report', { who: 'organization-admin' }),
  manage('read-price-list', 'GET /v1/manage/price-list', { who: 'organization-admin' }),
  manage('replace-price-list', 'PUT /v1/manage/price-list', { who: 'organization-admin' }),
  manage('read-invoice-settings', 'GET /v1/manage/invoice-settings', { who: 'organization-admin' }),
  manage('replace-invoice-settings', 'PUT /v1/manage/invoice-settings', { who: 'organization-admin' }),
  manage('preview-invoice', 'POST /v1/manage/invoice/preview', looksOnly),
  manage('create-invoice', 'POST /v1/manage/invoice', { who: 'organization-admin' }),
  manage('list-invoices', 'GET /v1/manage/invoice', { who: 'organization-admin' }),
  manage('read-invoice', 'GET /v1/manage/invoice/:id', { who: 'organization-admin' }),
  manage('read-invoice-pdf', 'GET /v1/manage/invoice/:id/pdf', { who: 'organization-admin' }),
  manage('create-credit-note', 'POST /v1/manage/invoice/:id/credit-note', { who: 'organization-admin' }),
  manage('read-month-close', 'GET /v1/manage/org/month-close', { who: 'organization-admin' }),
  manage('close-month', 'POST /v1/manage/org/month-close', { who: 'organization-admin' }),
  manage('reopen-month', 'POST /v1/manage/org/month-close/reopen', { who: 'organization-admin' }),
  manage('read-budget-plan', 'GET /v1/manage/budget-plan', { who: 'organization-admin' }),
  manage('replace-budget-plan', 'PUT /v1/manage/budget-plan', { who: 'organization-admin' }),
  manage('report-budgets', 'GET /v1/manage/budget-plan/report', { who: 'organization-admin' }),
  manage('read-balance', 'GET /v1/manage/balance', { who: 'organization-admin' }),
  manage('list-balance-history', 'GET /v1/manage/balance/history', { who: 'organization-admin' }),
  manage('read-auto-top-up', 'GET /v1/manage/balance/auto-top-up', { who: 'organization-admin' }),
  manage('set-auto-top-up', 'PUT /v1/manage/balance/auto-top-up', { who: 'organization-admin' }),
  manage('create-alert', 'POST /v1/manage/alert', { who: 'organization-admin' }),
  manage('list-alerts', 'GET /v1/manage/alert', { who: 'organization-admin' }),
  manage('list-alert-deliveries', 'GET /v1/manage/alert/:id/delivery', { who: 'organization-admin' }),
  manage('list-refusals', 'GET /v1/manage/refusal', { who: 'organization-admin' }),
  manage('update-alert', 'PATCH /v1/manage/alert/:id', { who: 'organization-admin' }),
  manage('test-alert', 'POST /v1/manage/alert/:id/test', { who: 'organization-admin', body: 'none' }),
  manage('delete-alert', 'DELETE /v1/manage/alert/:id', { who: 'organization-admin', body: 'none' }),
  scim('scim-read-configuration', 'GET /ServiceProviderConfig'),
  scim('scim-list-resource-types', 'GET /ResourceTypes'),
  scim('scim-read-resource-type', 'GET /ResourceTypes/:id'),
  scim('scim-list-schemas', 'GET /Schemas'),
  scim('scim-read-schema', 'GET /Schemas/:id'),
  scim('scim-list-users', 'GET /Users'),
  scim('scim-search-users', 'POST /Users/.search', looksOnly),
  scim('scim-create-user', 'POST /Users'),
  scim('scim-read-user', 'GET /Users/:id'),
  scim('scim-replace-user', 'PUT /Users/:id'),
  scim('scim-patch-user', 'PATCH /Users/:id'),
  scim('scim-delete-user', 'DELETE /Users/:id'),
  scim('scim-list-groups', 'GET /Groups'),
  scim('scim-search-groups', 'POST /Groups/.search', looksOnly),
  scim('scim-create-group', 'POST /Groups'),
  scim('scim-read-group', 'GET /Groups/:id'),
  scim('scim-replace-group', 'PUT /Groups/:id'),
  scim('scim-patch-group', 'PATCH /Groups/:id'),
  scim('scim-delete-group', 'DELETE /Groups/:id'),
] as const satisfies readonly EndpointRow[];

/** Endpoints that send a prompt to no model: nothing of them is limited, metered or charged. */
export const COUNTING_ENDPOINTS: ReadonlySet<string> = new Set(['count-tokens', 'count-input-tokens']);

const byId = new Map<string, EndpointRow>(ENDPOINTS.map((row) => [row.id, row]));

/** Returns the row of an endpoint that must exist. */
export function getEndpoint(id: string): EndpointRow {
  const row = byId.get(id);
  if (row === undefined) throw new Error(`endpoint ${id} is not in the endpoint table`);
  return row;
}
