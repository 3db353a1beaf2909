import { limitBody, limitListParameters, previewLimitBody } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { limitPreview, limits, oneLimit } from '../schemas/management/limits';
import { createdId } from '../schemas/management/replies';
import { nameRequest } from '../schemas/named-schemas';

const params = { id: EXAMPLE_IDS.limit };

export const LIMIT_OPERATIONS: readonly Operation[] = [
  {
    id: 'create-limit',
    tag: 'Limits',
    summary: 'Create a limit',
    about:
      'What is counted (`measure`), of whom (`scope`), over which time (`window`; none for what runs at a moment), how much of it (`amount`) and what happens to a request that does not fit (`action`). A scope without its target holds for each of its kind apart. It counts from its creation on and is in force within five seconds. An organization has at most 64.',
    body: nameRequest('LimitBody', limitBody),
    responses: { 201: { about: 'Created.', json: createdId } },
    errors: ['conflict', 'not_found'],
    examples: [
      {
        summary: 'Five dollars a day for each key',
        body: { name: 'a day of a key', scope: 'key', measure: 'usd', window: 'day', amount: 5 },
        status: 201,
      },
      {
        summary: 'A cheaper model once a team has used a million tokens in 30 days',
        body: {
          name: 'tokens of the team',
          ...{ scope: 'group', group_id: EXAMPLE_IDS.group, measure: 'tokens', window: '30d', amount: 1_000_000 },
          ...{ modalities: ['chat'], action: 'fallback', fallback_model: 'sandbox/chat-free' },
        },
        status: 201,
      },
      {
        summary: 'Two streams at a time for each end user',
        body: { name: 'streams of a user', scope: 'end_user', measure: 'concurrent_streams', amount: 2 },
        status: 201,
      },
    ],
  },
  {
    id: 'list-limits',
    tag: 'Limits',
    summary: 'List limits',
    about:
      'Those of rows; monthly limits of keys, budgets of groups and members’ rates are where they are set. `GET /v1/limits` shows all that bind a key.',
    query: limitListParameters,
    responses: { 200: { about: 'All of them, or a page; the newest last.', json: limits } },
    examples: [
      { summary: 'All of them', status: 200 },
      { summary: 'Those of keys, and how full they are', query: { scope: 'key', usage: 'true' }, status: 200 },
    ],
  },
  {
    id: 'preview-limit',
    tag: 'Limits',
    summary: 'What a limit would have refused',
    about:
      'Plays the requests of the last days against a limit as it would be written, in the order in which they were admitted; nothing is kept. It takes what each request used: at admission the most it can use is held, so that a limit may refuse more than this says while it is nearly full.',
    body: nameRequest('PreviewLimit', previewLimitBody),
    responses: { 200: { about: 'What would have happened.', json: limitPreview } },
    errors: ['not_found', 'rate_limited'],
    examples: [
      {
        summary: 'A hundred requests an hour for each member, last week',
        body: { scope: 'member', measure: 'requests', window: 'hour', amount: 100 },
        status: 200,
      },
    ],
  },
  {
    id: 'read-limit',
    tag: 'Limits',
    summary: 'Read one limit',
    responses: { 200: { about: 'As it is in force, and how full it is.', json: oneLimit } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'replace-limit',
    tag: 'Limits',
    summary: 'Replace one limit',
    about:
      'What is counted goes on, unless its measure or window changes: then it begins anew. Its scope and targets stay: to limit someone else, make another one (409).',
    body: limitBody,
    responses: { 200: { about: 'As it is in force now.', json: oneLimit } },
    errors: ['conflict'],
    examples: [
      {
        summary: 'Another amount',
        params,
        body: { name: 'more for each key', scope: 'key', measure: 'usd', window: 'day', amount: '7.5' },
        status: 200,
      },
    ],
  },
  {
    id: 'delete-limit',
    tag: 'Limits',
    summary: 'Delete one limit',
    about: 'Refused while an alert watches it: delete that first.',
    errors: ['conflict'],
    responses: { 204: { about: 'Deleted: it binds nothing any more.' } },
    examples: [{ summary: 'One', params, status: 204 }],
  },
];
