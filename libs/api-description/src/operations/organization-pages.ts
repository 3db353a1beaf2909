import { generationListParameters } from '@weir/contracts';
import { z } from 'zod';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { generation, generationList } from '../schemas/gateway/generation';
import { financePage, organizationPage } from '../schemas/gateway/organization';

const named = z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional();
const listQuery = generationListParameters.extend({ label: named, extra: named });

export const ORGANIZATION_PAGE_OPERATIONS: readonly Operation[] = [
  {
    id: 'auth-check',
    tag: 'Organization',
    summary: 'Check a key',
    about: 'An empty 200 for a usable key, 401 for anything else.',
    responses: { 200: { about: 'The key is usable.' } },
    errors: ['unusable_key'],
    examples: [{ summary: 'The key of this request', status: 200 }],
  },
  {
    id: 'organization',
    tag: 'Organization',
    summary: 'Settings of the key’s organization',
    responses: { 200: { about: 'What every member may see.', json: organizationPage } },
    examples: [{ summary: 'The organization', status: 200 }],
  },
  {
    id: 'organization-finance',
    tag: 'Organization',
    summary: 'Balance of the key’s organization',
    responses: { 200: { about: 'Cash, gifts, promotions and automatic top-ups.', json: financePage } },
    examples: [{ summary: 'The balance', status: 200 }],
  },
  {
    id: 'list-generations',
    tag: 'Organization',
    summary: 'Requests, newest first',
    about: [
      'One line for each request that has ended and been counted, for as long as single events are kept; never its content. Administrators’ keys list those of the whole organization, others their own and those of their member.',
      'A filter given several times keeps requests with any of its values, several filters all apply, and `Unknown` is no value. `model` is the one that served a request, `status=error` all but `ok`, `label.<name>=<value>` (or `label[<name>]`) a label that the key or its group had, `extra.<name>=<value>` a free field of the request; costs are those of all attempts, `min_ms` and `max_ms` from admission to end; `id` is a request id or the beginning of one.',
      '`next_cursor` goes on to older requests. `after` takes a `newest_cursor` and returns what came to be counted since then, newest first, up to a day after its admission: requests are counted when they end, so what is new is not always at the top. Now and then it returns a request again: go by `id`. One page looks at 10,000 events at most, with `after` at 20,000; `is_partial` then says that there may be more at `next_cursor`.',
    ].join(' '),
    query: listQuery,
    responses: { 200: { about: 'A page of requests.', json: generationList } },
    examples: [
      { summary: 'The newest requests', query: { limit: '20' }, status: 200 },
      {
        summary: 'Slow or failed requests of two models',
        query: { model: ['sandbox/chat', 'sandbox/embedding'], min_ms: '1000', status: ['error', 'ok'], 'label.team': 'search' },
        status: 200,
      },
      { summary: 'One by its id', query: { id: EXAMPLE_IDS.request }, status: 200 },
    ],
  },
  {
    id: 'generation',
    tag: 'Organization',
    summary: 'What became of a request',
    about: 'Attempts, tokens, cost and guardrail verdict of one request of the organization; never its content.',
    responses: { 200: { about: 'The request.', json: generation } },
    examples: [{ summary: 'One', params: { request_id: EXAMPLE_IDS.request }, status: 200 }],
  },
];
