import { graph, number, percentiles, query, type Board } from '../dashboard';

const FAILED = 'outcome=~"upstream_error|upstream_cut|timeout"';

/** Where requests cannot go, where they go instead, and whom they wait for. */
export const ROUTING: Board = {
  name: 'routing',
  title: 'routing health',
  from: 'now-1h',
  rows: [
    {
      title: 'Now',
      panels: [
        number('Ejected places', 'count(sum by (provider, region, account) (weir_routes_ejected) > 0) or vector(0)', {
          about: 'A region of a provider under one account that is asked last, because what was sent there failed.',
        }),
        number('Requests that wait', 'sum(weir_provider_queue_waiting)', { redFrom: 100 }),
        number('Accounts that cannot be read', 'sum(max by (kind) (weir_account_faults))', {
          about: 'What was there before stays in force.',
        }),
        number('Calls that wait for a connection', 'sum(weir_upstream_calls_waiting)', { redFrom: 1 }),
      ],
    },
    {
      title: 'Failures, and what followed',
      panels: [
        graph(
          'Ejected, by place',
          'short',
          query('sum by (provider, region, account) (weir_routes_ejected)', '{{provider}} {{region}} {{account}}'),
          'In how many processes: each learns for itself.',
        ),
        graph(
          'Share of attempts that fail, by provider',
          'percentunit',
          query(
            `sum by (provider) (rate(weir_attempts_total{${FAILED}}[5m])) / sum by (provider) (rate(weir_attempts_total[5m]))`,
            '{{provider}}',
          ),
        ),
        graph(
          'Failures by provider and code',
          'reqps',
          query('sum by (provider, code) (rate(weir_attempt_failures_total[5m]))', '{{provider}} {{code}}'),
          'Of attempts that failed before anything reached the caller.',
        ),
        graph(
          'What followed failures',
          'reqps',
          query('sum by (next) (rate(weir_attempt_failures_total[5m]))', '{{next}}'),
          'Retry: the same place once more. Fallback: another place. None: the request failed.',
        ),
        graph(
          'Requests that went elsewhere, of all',
          'percentunit',
          query(
            'sum(rate(weir_attempt_failures_total{next="fallback"}[5m])) / clamp_min(sum(rate(weir_requests_total{service="edge-router"}[5m])), 0.001)',
            'fallbacks',
          ),
        ),
        graph(
          'Streams that broke off',
          'reqps',
          query('sum by (provider) (rate(weir_attempts_total{outcome="upstream_cut"}[5m]))', '{{provider}}'),
          'After their reply had begun: no second try is possible.',
        ),
      ],
    },
    {
      title: 'Rates and queues',
      panels: [
        graph(
          'Waiting for a provider',
          'short',
          query('sum by (provider) (weir_provider_queue_waiting)', '{{provider}}'),
          'Requests that wait for their turn because their provider limits its rate. Shares and priorities say whose turn it is.',
        ),
        graph(
          'Time in the queue of a provider',
          's',
          percentiles({ metric: 'weir_provider_queue_seconds', by: 'provider', where: 'end="served"', shares: [0.5, 0.95] }),
          'Of requests that waited and were served.',
        ),
        graph(
          'How waiting for a provider ended',
          'reqps',
          query('sum by (end) (rate(weir_provider_queue_seconds_count[5m]))', '{{end}}'),
          'Served; expired, after PROVIDER_QUEUE_MS; displaced, because the queue was full; left, with its caller.',
        ),
        graph(
          'Refused by a provider for its rate',
          'reqps',
          query('sum by (provider) (rate(weir_attempt_failures_total{code="provider_rate_limited"}[5m]))', '{{provider}}'),
        ),
        graph(
          'What accounts have left',
          'percentunit',
          query('min by (provider, account) (weir_account_allowance_ratio)', '{{provider}} {{account}}'),
          'Of the limit with least left, as the provider last said. Of providers with several accounts.',
        ),
      ],
    },
    {
      title: 'Connections',
      panels: [
        graph('Connections to providers', 'short', query('sum by (origin) (weir_upstream_connections)', '{{origin}}')),
        graph(
          'Calls that wait for a connection, by address',
          'short',
          query('sum by (origin) (weir_upstream_calls_waiting)', '{{origin}}'),
        ),
        graph(
          'Calls refused for want of a connection',
          'reqps',
          query('sum by (origin) (rate(weir_upstream_calls_refused_total[5m]))', '{{origin}}'),
        ),
      ],
    },
  ],
};
