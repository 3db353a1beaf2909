import {
  FILTER_DIMENSIONS_MAX,
  FILTER_VALUES_MAX,
  GROUP_BY_MAX,
  reconciliationParameters,
  USAGE_DIMENSIONS,
  usageExportListParameters,
  usageExportParameters,
  usageFilter,
  usageParameters,
  usageReplyParameters,
  type UsageDimension,
} from '@weir/contracts';
import { z } from 'zod';
import type { Operation } from './operation';
import { performance, reconciliation, usage, usageExports } from '../schemas/management/usage';

/** What usage can be grouped by; in angle brackets what callers choose. */
const GROUPS = USAGE_DIMENSIONS.map(({ name, chosen }: UsageDimension) => `${name}${chosen ?? ''}`);
const GROUP = GROUPS.map((name) => name.replace('.', '\\.').replace(/<.*>/, '[A-Za-z0-9_.-]{1,64}')).join('|');
const group = z.string().regex(new RegExp(`^(?:${GROUP})(?:,(?:${GROUP}))*$`));

const filter = z.record(z.string().regex(new RegExp(`^(?:${GROUP})$`)), usageFilter.valueType).optional();

/** The parameters as a query spells them: a list is repeated, or has commas; a filter is `filter[<dimension>]=<value>`. */
const usageQuery = usageParameters.extend({ group_by: z.union([group, z.array(group).max(GROUP_BY_MAX)]).optional(), filter });

/** Of questions about usage. */
export const usageQueryWithCurrency = usageQuery.extend(usageReplyParameters.shape);

const ABOUT_CURRENCY =
  '`currency` shows amounts in another currency beside those in USD, each day by its rate (`GET /v1/manage/exchange-rate`); a day without one is a conflict that names it. Where the organization has [prices of its own](#tag/Finance), `charged` stands beside each `spend`.';

const ABOUT_PERIODS =
  'Periods in which nothing was used are left out; with `fill=zero` they have zeros. `months=12`, in place of `end`, asks for as many whole months from `start` on, by the month, up to 24 at once.';

const ABOUT_FILTERS = `\`filter[<dimension>]=<value>\` keeps usage with that value only, for every value of \`group_by\`: repeated for one dimension the values are alternatives (up to ${FILTER_VALUES_MAX}), several dimensions all apply (up to ${FILTER_DIMENSIONS_MAX}), and \`Unknown\` is usage without a value.`;

/** Of usage queries: only so many run at once, and parameters may come in a body. */
export const USAGE_ERRORS = ['conflict', 'rate_limited', 'invalid_json', 'body_too_large', 'unsupported_media_type'] as const;

export const USAGE_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-organization-usage',
    tag: 'Usage',
    summary: 'Usage of the organization',
    about: [
      'Half-open in UTC, at most 100 days; 24 hours unless `end` is given, by `day` unless `resolution` says otherwise. A bound may be inside an hour as far back as single events are kept, 45 days unless configured otherwise; before that it is refused with 400.',
      `\`group_by\` may be repeated, up to ${GROUP_BY_MAX} times: ${GROUPS.map((name) => `\`${name}\``).join(', ')}.`,
      ABOUT_PERIODS,
      ABOUT_FILTERS,
      ABOUT_CURRENCY,
    ].join(' '),
    query: usageQueryWithCurrency,
    responses: { 200: { about: 'Usage by period.', json: usage, headers: ['x-weir-usage-range'] } },
    errors: USAGE_ERRORS,
    examples: [
      {
        summary: 'A week by day, key and model',
        query: { start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z', group_by: ['api_key_id', 'model_used'] },
        status: 200,
      },
      {
        summary: 'A week of two teams, by model',
        query: {
          ...{ start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z', group_by: ['model_used'] },
          'filter[api_key_label.team]': ['search', 'Unknown'],
        },
        status: 200,
      },
    ],
  },
  {
    id: 'read-organization-performance',
    tag: 'Usage',
    summary: 'Errors and latency of the organization',
    about: [
      'Of the same requests as usage of the same range, `group_by` and `filter`. Counts and means are exact.',
      'Percentiles are worked out from single events: of all requests where the hours that have any hold up to 100,000, of a sample spread evenly over the range where they hold more or where events are no longer kept; `is_sampled` and `sample` say so.',
      'With `group_by`, the 1,000 groups with most requests have percentiles, by period the 20; of the others, and of text that was cut or counted under another value, they are null.',
    ].join(' '),
    query: usageQuery,
    responses: { 200: { about: 'Errors and latency by period and as a whole.', json: performance, headers: ['x-weir-usage-range'] } },
    errors: USAGE_ERRORS,
    examples: [
      {
        summary: 'A week by day and model',
        query: { start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z', group_by: ['model_used'] },
        status: 200,
      },
    ],
  },
  {
    id: 'export-organization-usage',
    tag: 'Usage',
    summary: 'Download usage as a file for finance',
    about: `Of a UTC day or month. The file of a period that has not ended has what was used to date, and is marked as not final. After the end the file stays the same until usage of its month changes, which gives it another revision; only names may change in between (\`names=false\` leaves them out). \`currency\` adds columns in that currency after those in USD, each line by the rate of its day; not with \`resolution=month\`. Where the organization has prices of its own, columns with them follow. Without \`format\` the file is a workbook where \`Accept\` prefers one. ${ABOUT_FILTERS}`,
    query: usageExportParameters.extend({ filter }),
    errors: ['conflict', 'rate_limited'],
    responses: {
      200: {
        about: 'The file.',
        media: {
          'text/csv; charset=utf-8; header=present': 'Lines of usage, by day unless `resolution` says otherwise; or FOCUS 1.2 columns.',
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet':
            'The same lines as a workbook, with exact money as text beside numbers.',
        },
        headers: [
          'x-weir-final',
          'x-weir-usage-restatable-until',
          'x-weir-usage-revision',
          'x-weir-usage-as-of',
          'x-weir-usage-lines',
          'x-weir-usage-requests',
          'x-weir-usage-spend',
          'x-weir-usage-billed',
        ],
      },
    },
    examples: [
      { summary: 'A month', query: { period: '2026-10' }, status: 200 },
      {
        summary: 'A month as a workbook, of one group',
        query: { period: '2026-10', format: 'xlsx', 'filter[group_name]': 'Research' },
        status: 200,
      },
    ],
  },
  {
    id: 'list-usage-exports',
    tag: 'Usage',
    summary: 'List the days that were exported as files',
    about: [
      'Where the operator exports usage to a bucket: each day that was, newest first, with every revision of it and its files.',
      'A `published` revision is whole, and its manifest in the bucket; the highest one of a day takes the place of those before.',
    ].join(' '),
    query: usageExportListParameters,
    responses: { 200: { about: 'A page of exports.', json: usageExports } },
    examples: [{ summary: 'A month', query: { from: '2026-10-01', to: '2026-10-31' }, status: 200 }],
  },
  {
    id: 'read-reconciliation',
    tag: 'Usage',
    summary: 'Compare the sums of a month',
    about: 'Events, hours, days, month, spend and ledger of one month side by side, and what they differ by.',
    query: reconciliationParameters,
    responses: { 200: { about: 'The comparison.', json: reconciliation } },
    examples: [{ summary: 'A month', query: { month: '2026-10' }, status: 200 }],
  },
];
