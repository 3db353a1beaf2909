import { GROUP_BY_MAX, reconciliationParameters, usageExportParameters, usageParameters } from '@weir/contracts';
import { z } from 'zod';
import type { Operation } from '../operation';
import { reconciliation, usage } from '../schemas/management/usage';

/** What usage can be grouped by; in angle brackets what callers choose. */
const GROUPS = [
  ...['group_name', 'group_id', 'member_id', 'member_email', 'user_id', 'api_key_id', 'model_requested', 'model_used', 'provider_used'],
  ...['is_byok', 'origin_title', 'extra.<field>', 'api_key_label.<key>', 'group_label.<key>'],
];
const GROUP = GROUPS.map((name) => name.replace('.', '\\.').replace(/<.*>/, '[A-Za-z0-9_.-]{1,64}')).join('|');
const group = z.string().regex(new RegExp(`^(?:${GROUP})(?:,(?:${GROUP}))*$`));

/** The parameters as a query spells them: a list is repeated, or has commas. */
export const usageQuery = usageParameters.extend({ group_by: z.union([group, z.array(group).max(GROUP_BY_MAX)]).optional() });

/** Of questions about usage: heavy ones wait for their turn, and parameters may come in a body. */
export const USAGE_ERRORS = ['rate_limited', 'invalid_json', 'body_too_large', 'unsupported_media_type'] as const;

export const USAGE_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-organization-usage',
    tag: 'Usage',
    summary: 'Usage of the organization',
    about: `Half-open in UTC, at most 100 days; 24 hours unless \`end\` is given, by \`day\` unless \`resolution\` says otherwise. \`group_by\` may be repeated, up to ${GROUP_BY_MAX} times: ${GROUPS.map((name) => `\`${name}\``).join(', ')}.`,
    query: usageQuery,
    answers: { 200: { about: 'Usage by period.', json: usage, headers: ['x-weir-usage-range'] } },
    errors: USAGE_ERRORS,
    examples: [
      {
        summary: 'A week by day, key and model',
        query: { start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z', group_by: ['api_key_id', 'model_used'] },
        status: 200,
      },
    ],
  },
  {
    id: 'export-organization-usage',
    tag: 'Usage',
    summary: 'Download usage as a file for finance',
    about: 'Of a UTC day or month that is over: byte for byte the same until usage of its month changes, and then of another revision.',
    query: usageExportParameters,
    errors: ['conflict', 'rate_limited'],
    answers: {
      200: {
        about: 'The file.',
        media: { 'text/csv; charset=utf-8; header=present': 'Lines of usage, by day unless told otherwise; or FOCUS 1.2 columns.' },
        headers: [
          'x-weir-usage-revision',
          'x-weir-usage-as-of',
          'x-weir-usage-lines',
          'x-weir-usage-requests',
          'x-weir-usage-spend',
          'x-weir-usage-billed',
        ],
      },
    },
    examples: [{ summary: 'A month', query: { period: '2026-10' }, status: 200 }],
  },
  {
    id: 'read-reconciliation',
    tag: 'Usage',
    summary: 'Does a month add up',
    about: 'Events, hours, days, month, spend and ledger of one month side by side, and what they differ by.',
    query: reconciliationParameters,
    answers: { 200: { about: 'The comparison.', json: reconciliation } },
    examples: [{ summary: 'A month', query: { month: '2026-10' }, status: 200 }],
  },
];
