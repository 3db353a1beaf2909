import { graph, number, percentiles, query, type Board } from '../dashboard';

const CODES = 'code=~"rate_limited|limit_reached|monthly_limit_reached|balance_exhausted"';

/** Who is refused for which limit, how full limits are, and whether their counters reply. */
export const LIMITS: Board = {
  name: 'limits',
  title: 'limits',
  from: 'now-3h',
  rows: [
    {
      title: 'Who is refused',
      panels: [
        graph('Refused, by whom the limit is about', 'reqps', query('sum by (scope) (rate(weir_limit_refusals_total[5m]))', '{{scope}}')),
        graph(
          'Refused, by what the limit counts',
          'reqps',
          query('sum by (measure, window) (rate(weir_limit_refusals_total[5m]))', '{{measure}} {{window}}'),
          'Running: limits of what runs at a moment.',
        ),
        graph(
          'Refused, by error code',
          'reqps',
          query(`sum by (code) (rate(weir_errors_total{service="edge-router",${CODES}}[5m]))`, '{{code}}'),
        ),
        graph(
          'Refused for a limit, of all requests',
          'percentunit',
          query(
            'sum(rate(weir_limit_refusals_total[5m])) / clamp_min(sum(rate(weir_requests_total{service="edge-router"}[5m])), 0.001)',
            'refused',
          ),
        ),
      ],
    },
    {
      title: 'How full',
      panels: [
        graph(
          'Fullest limit',
          'percentunit',
          query('max by (scope, measure) (weir_limit_fill_ratio)', '{{scope}} {{measure}}'),
          'Of limits that organizations made, without requests that run: the fullest of each kind.',
        ),
        graph(
          'Limits above four fifths',
          'short',
          query('max by (scope, measure) (weir_limits_nearly_full)', '{{scope}} {{measure}}'),
          'How many keys, members, end users or others are that near to a limit.',
        ),
      ],
    },
    {
      title: 'Holds and counters',
      panels: [
        graph(
          'Limited requests, by what became of them',
          'reqps',
          query('sum by (outcome) (rate(weir_holds_total[1m]))', '{{outcome}}'),
          'Lease, deny and allow were decided without the counters.',
        ),
        graph(
          'Time of a call to the counters',
          's',
          percentiles({ metric: 'weir_limits_call_seconds', where: 'end="answered"' }),
          'Of Redis, where gateways share counters.',
        ),
        graph(
          'Calls to the counters, by how they ended',
          'reqps',
          query('sum by (end) (rate(weir_limits_call_seconds_count[1m]))', '{{end}}'),
          'Failed: no reply in LIMITS_TIMEOUT_MS. Skipped: not tried, because those before failed.',
        ),
        graph(
          'Rates decided without the shared counters',
          'reqps',
          query('sum by (instance) (rate(weir_rate_decisions_local_total[1m]))', '{{instance}}'),
        ),
        number('Requests decided without counters, last hour', 'sum(increase(weir_holds_total{outcome=~"lease|deny|allow"}[1h]))'),
      ],
    },
  ],
};
