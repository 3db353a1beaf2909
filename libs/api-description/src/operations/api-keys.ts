import {
  apiKeyListParameters,
  createApiKeyBody,
  rotateApiKeyBody,
  setAccessListBody,
  setExpiryBody,
  setGroupBody,
  setLabelsBody,
  setLimitBody,
  setPriorityBody,
} from '@weir/contracts';
import type { z } from 'zod';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { apiKeys, callingApiKey, callingApiKeyForEditors, createdApiKey, oneApiKey, rotatedApiKey } from '../schemas/management/replies';
import { usage } from '../schemas/management/usage';
import { nameRequest } from '../schemas/named-schemas';
import { USAGE_ERRORS, usageQueryWithCurrency } from './usage';

const params = { id: EXAMPLE_IDS.apiKey };
const SINCE = { start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z' };

type Change = { id: string; summary: string; about?: string; name: string; body: z.ZodType; example: object };

/** A change of one key, whose response is 204; revoked keys cannot be changed any more. */
function change({ id, summary, about, name, body, example }: Change): Operation {
  return {
    id,
    tag: 'API keys',
    summary,
    ...(about === undefined ? {} : { about }),
    body: nameRequest(name, body),
    responses: { 204: { about: 'Changed.' } },
    errors: ['conflict'],
    examples: [{ summary, params, body: example, status: 204 }],
  };
}

export const API_KEY_OPERATIONS: readonly Operation[] = [
  {
    id: 'create-api-key',
    tag: 'API keys',
    summary: 'Create an API key',
    about:
      'The key itself is shown this once. It may use models and nothing else unless `permissions` says more. With `member_id` it belongs to that member, and counts towards the limits, the rate and the usage of that member; without, it belongs to the caller. Administrators of a group create keys in it for its members, members create keys for themselves; both without management permissions. Only administrators of the organization give `contents: read`, for contents of requests, the priority `high` and a `share` above 1.',
    body: nameRequest('CreateApiKey', createApiKeyBody),
    responses: { 201: { about: 'Created.', json: createdApiKey } },
    errors: ['not_found'],
    examples: [
      {
        summary: 'A key of a team with 100 USD a month',
        body: { name: 'search team', monthly_limit: 100, labels: { team: 'search' }, access_list_id: EXAMPLE_IDS.accessList },
        status: 201,
      },
      {
        summary: 'A key of a member',
        body: { name: 'laptop', member_id: EXAMPLE_IDS.groupMember, group_id: EXAMPLE_IDS.group },
        status: 201,
      },
    ],
  },
  {
    id: 'list-api-keys',
    tag: 'API keys',
    summary: 'List API keys',
    about:
      'Those in force, with what each spent in this calendar month; `state=revoked` lists those that were revoked, `state=all` both: what all of them spent is what the organization did with keys. Administrators of groups see their groups’ and their own, members their own.',
    query: apiKeyListParameters,
    responses: { 200: { about: 'The keys.', json: apiKeys } },
    examples: [{ summary: 'All of them', status: 200 }],
  },
  {
    id: 'read-calling-api-key',
    tag: 'API keys',
    summary: 'Read the calling key',
    about: '`acts_as` says how far its management permission reaches, by the roles of the member it belongs to.',
    responses: { 200: { about: 'The key of this request.', json: callingApiKey } },
    examples: [{ summary: 'This key', status: 200 }],
  },
  {
    id: 'read-calling-api-key-for-editors',
    tag: 'API keys',
    summary: 'Read the calling key as code editors do',
    about: 'What Roo Code and similar editors show beside their settings. Amounts are USD as text; keys without `manage` get no balance.',
    responses: { 200: { about: 'The key of this request.', json: callingApiKeyForEditors } },
    examples: [{ summary: 'This key', status: 200 }],
  },
  {
    id: 'read-calling-api-key-usage',
    tag: 'API keys',
    summary: 'Usage of the calling key',
    query: usageQueryWithCurrency,
    responses: { 200: { about: 'Usage by period.', json: usage, headers: ['x-weir-usage-range'] } },
    errors: USAGE_ERRORS,
    examples: [{ summary: 'A week by day', query: SINCE, status: 200 }],
  },
  {
    id: 'read-api-key',
    tag: 'API keys',
    summary: 'Read an API key',
    responses: { 200: { about: 'The key, revoked ones too.', json: oneApiKey } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'revoke-api-key',
    tag: 'API keys',
    summary: 'Revoke an API key',
    about:
      'In force everywhere within five seconds. It cannot be undone. Revoking the last key that may manage the organization is refused with 409 (`last_administrator`): rotate that key instead.',
    responses: { 204: { about: 'Revoked.' } },
    errors: ['conflict', 'last_administrator'],
    examples: [{ summary: 'One', params: { id: EXAMPLE_IDS.revocableKey }, status: 204 }],
  },
  change({
    ...{ id: 'set-api-key-labels', summary: 'Replace the labels of a key', name: 'SetLabels', body: setLabelsBody },
    about: 'Usage keeps the labels of its time: a closed month does not change.',
    example: { labels: { team: 'search', stage: 'production' } },
  }),
  change({
    ...{ id: 'set-api-key-limit', summary: 'Set the monthly limit of a key', name: 'SetLimit', body: setLimitBody },
    about: 'USD a calendar month, UTC; null or 0 means unlimited.',
    example: { monthly_limit: 250.5 },
  }),
  change({
    ...{ id: 'set-api-key-access-list', summary: 'Attach an access list to a key', name: 'SetAccessList', body: setAccessListBody },
    example: { access_list_id: EXAMPLE_IDS.accessList },
  }),
  change({
    ...{ id: 'set-api-key-group', summary: 'Put a key into a group', name: 'SetGroup', body: setGroupBody },
    example: { group_id: EXAMPLE_IDS.group },
  }),
  change({
    ...{ id: 'set-api-key-expiry', summary: 'Let a key expire', name: 'SetExpiry', body: setExpiryBody },
    example: { expires_at: '2030-01-01T00:00:00Z' },
  }),
  change({
    ...{ id: 'set-api-key-priority', summary: 'Set how a key takes turns', name: 'SetPriority', body: setPriorityBody },
    about:
      'Where a provider limits requests and they wait: `priority` is the class of the key’s requests, and the most that they may ask for by `X-Weir-Priority`; `share` is its weight among the keys of its organization.',
    example: { priority: 'high', share: 4 },
  }),
  {
    id: 'rotate-api-key',
    tag: 'API keys',
    summary: 'Replace the secret of a key',
    about: 'The old secret works until the overlap ends. Without an overlap it stops at once.',
    body: nameRequest('RotateApiKey', rotateApiKeyBody),
    isBodyOptional: true,
    responses: { 200: { about: 'The new secret, shown this once.', json: rotatedApiKey } },
    errors: ['conflict'],
    examples: [{ summary: 'With an hour to change over', params, body: { overlap_seconds: 3600 }, status: 200 }],
  },
  {
    id: 'read-api-key-usage',
    tag: 'API keys',
    summary: 'Usage of a key',
    about:
      'The same parameters as for the organization’s usage. They are read from the query, and from a JSON body as well (which many proxies remove); in a body, filters are `filter: {"<dimension>": ["<value>"]}`.',
    query: usageQueryWithCurrency,
    responses: { 200: { about: 'Usage by period.', json: usage, headers: ['x-weir-usage-range'] } },
    errors: USAGE_ERRORS,
    examples: [{ summary: 'A week by day and model', params, query: { ...SINCE, group_by: ['model_used'] }, status: 200 }],
  },
];
