import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { generation } from '../schemas/gateway/generation';
import { financePage, organizationPage } from '../schemas/gateway/organization';

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
    id: 'generation',
    tag: 'Organization',
    summary: 'What became of a request',
    about: 'Attempts, tokens, cost and guardrail verdict of one request of the organization; never its content.',
    responses: { 200: { about: 'The request.', json: generation } },
    examples: [{ summary: 'One', params: { request_id: EXAMPLE_IDS.request }, status: 200 }],
  },
];
