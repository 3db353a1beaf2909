import { graph, percentiles, query, type Board } from '../dashboard';

const CHOSEN = 'provider=~"$provider"';
const DOT = 'A dot is one traced attempt: point at it for its trace_id and request_id.';

/** How fast each provider is. */
export const PROVIDERS: Board = {
  name: 'providers',
  title: 'latency of providers',
  from: 'now-3h',
  choices: [{ label: 'provider', metric: 'weir_attempts_total' }],
  rows: [
    {
      title: 'Until the reply begins',
      panels: [0.5, 0.95, 0.99].map((share) =>
        graph(
          `Time to the first byte, p${share * 100}`,
          's',
          percentiles({ metric: 'weir_attempt_first_byte_seconds', by: 'provider', where: CHOSEN, shares: [share], hasExemplars: true }),
          DOT,
        ),
      ),
    },
    {
      title: 'Until it is over',
      panels: [
        ...[0.5, 0.95, 0.99].map((share) =>
          graph(
            `Time of an attempt, p${share * 100}`,
            's',
            percentiles({ metric: 'weir_attempt_seconds', by: 'provider', where: CHOSEN, shares: [share], hasExemplars: true }),
            DOT,
          ),
        ),
        graph(
          'Time of an attempt by endpoint, p95',
          's',
          percentiles({ metric: 'weir_attempt_seconds', by: 'endpoint', where: CHOSEN, shares: [0.95] }),
        ),
        graph(
          'Average time of an attempt',
          's',
          query(
            `sum by (provider) (rate(weir_attempt_seconds_sum{${CHOSEN}}[5m])) / sum by (provider) (rate(weir_attempt_seconds_count{${CHOSEN}}[5m]))`,
            '{{provider}}',
          ),
        ),
      ],
    },
    {
      title: 'How much',
      panels: [
        graph(
          'Output tokens a second of an attempt',
          'short',
          query(
            `sum by (provider) (rate(weir_tokens_total{kind="output",${CHOSEN}}[5m])) / sum by (provider) (rate(weir_attempt_seconds_sum{${CHOSEN}}[5m]))`,
            '{{provider}}',
          ),
          'On average over the whole of an attempt, waiting for its first token included.',
        ),
        graph(
          'Output tokens a second, all attempts',
          'short',
          query(`sum by (provider) (rate(weir_tokens_total{kind="output",${CHOSEN}}[1m]))`, '{{provider}}'),
        ),
        graph(
          'Attempts a second, by outcome',
          'reqps',
          query(`sum by (provider, outcome) (rate(weir_attempts_total{${CHOSEN}}[1m]))`, '{{provider}} {{outcome}}'),
        ),
      ],
    },
  ],
};
