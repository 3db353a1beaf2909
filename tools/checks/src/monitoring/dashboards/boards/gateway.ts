import { graph, percentiles, query, type Board } from '../dashboard';

const AT_EDGE = '{service="edge-router"}';

/** What callers see, and what the processes do about it. */
export const GATEWAY: Board = {
  name: 'gateway',
  title: 'gateway',
  from: 'now-1h',
  rows: [
    {
      title: 'Callers',
      panels: [
        graph(
          'Requests a second, by endpoint',
          'reqps',
          query(`sum by (endpoint) (rate(weir_requests_total${AT_EDGE}[1m]))`, '{{endpoint}}'),
        ),
        graph('Responses, by status', 'reqps', query(`sum by (status) (rate(weir_requests_total${AT_EDGE}[1m]))`, '{{status}}')),
        graph('Errors, by code', 'reqps', query(`sum by (code) (rate(weir_errors_total${AT_EDGE}[1m]))`, '{{code}}')),
        graph(
          'Time to the last byte',
          's',
          percentiles({ metric: 'weir_request_seconds', where: 'service="edge-router"', hasExemplars: true }),
          'A dot is one traced request: point at it for its trace_id and request_id.',
        ),
        graph(
          'Requests in flight',
          'short',
          [
            query('sum by (service) (weir_requests_in_flight)', '{{service}}'),
            query('sum by (service) (weir_streams_open)', '{{service}}: streams'),
          ],
          'And those of them whose responses are being streamed.',
        ),
        graph('Connections', 'short', query('sum by (service) (weir_connections)', '{{service}}')),
        graph('Processes, by build', 'short', query('count by (service, version) (weir_build_info)', '{{service}} {{version}}')),
      ],
    },
    {
      title: 'Work',
      panels: [
        graph('Attempts open', 'short', query('sum by (service) (weir_attempts_open)', '{{service}}')),
        graph('Attempts, by model', 'reqps', query('topk(15, sum by (model) (rate(weir_attempts_total[5m])))', '{{model}}')),
        graph(
          'Answered with an earlier answer',
          'reqps',
          query('sum by (kind) (rate(weir_replayed_answers_total[5m]))', '{{kind}}'),
          'By no provider and at no charge: under its Idempotency-Key, or out of the response cache.',
        ),
        graph(
          'Contents of requests kept',
          'reqps',
          query('sum by (outcome) (rate(weir_request_contents_total[5m]))', '{{outcome}}'),
          'Of organizations that keep them. Left out: a guardrail took something out. Dropped: too many at once, no SEALING_KEY, or they could not be written.',
        ),
        graph(
          'Passports that workers noted',
          'reqps',
          query('sum by (reason) (rate(weir_passports_noted_total[5m]))', '{{reason}}'),
          'Terms and unshared were served; all others were refused.',
        ),
        graph(
          'Keys found in public',
          'short',
          query('sum by (outcome) (increase(weir_secret_alerts_total[1h]))', '{{outcome}}'),
          'Tokens that a scanner reported, by what they were, and reports without a signature.',
        ),
      ],
    },
    {
      title: 'Load',
      panels: [
        graph(
          'Pressure (1: free models are refused, 4: everything)',
          'short',
          query('max by (instance) (weir_load_pressure)', '{{instance}}'),
        ),
        graph('Refused because of load', 'reqps', query('sum by (work) (rate(weir_requests_shed_total[1m]))', '{{work}}')),
        graph('Clients cut off, connections refused', 'reqps', [
          query('sum by (reason) (rate(weir_slow_clients_cut_total[5m]))', 'slow {{reason}}'),
          query('sum by (reason) (rate(weir_connections_refused_total[5m]))', 'refused {{reason}}'),
        ]),
        graph('Event loop delay, p99', 's', query('max by (service) (nodejs_eventloop_lag_p99_seconds)', '{{service}}')),
        graph('Memory', 'bytes', query('max by (service) (process_resident_memory_bytes)', '{{service}}')),
        graph(
          'Version of the catalogue',
          'short',
          query('max by (service, instance, state) (weir_catalog_version)', '{{service}} {{instance}} {{state}}'),
          'Newest and in force differ for long only where a process cannot read the newest. 0: as it ships.',
        ),
        graph('CPU', 'short', query('sum by (service) (rate(process_cpu_seconds_total[1m]))', '{{service}}')),
      ],
    },
  ],
};
