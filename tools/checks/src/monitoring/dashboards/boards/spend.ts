import { graph, number, query, type Board } from '../dashboard';

const FLOATS = 'As floats, for the eye. Invoices come from the ledger.';
const PROMPT = 'input|cache_read|cache_write';

/** What it is worth, at which model and provider, and what that buys. */
export const SPEND: Board = {
  name: 'spend',
  title: 'spend',
  from: 'now-24h',
  rows: [
    {
      title: 'How much',
      panels: [
        number('USD, last hour', 'sum(increase(weir_cost_usd_total[1h]))', { unit: 'currencyUSD', redFrom: null, about: FLOATS }),
        number('USD, last 24 hours', 'sum(increase(weir_cost_usd_total[24h]))', { unit: 'currencyUSD', redFrom: null, about: FLOATS }),
        number('USD in 30 days at this rate', 'sum(rate(weir_cost_usd_total[24h])) * 86400 * 30', {
          ...{ unit: 'currencyUSD', redFrom: null },
          about: 'The last 24 hours, thirty times.',
        }),
        number(
          'Against the day before',
          'sum(increase(weir_cost_usd_total[24h])) / clamp_min(sum(increase(weir_cost_usd_total[24h] offset 24h)), 0.000001)',
          { unit: 'percentunit', redFrom: 2, about: 'Red from twice as much on.' },
        ),
      ],
    },
    {
      title: 'Where it goes',
      panels: [
        graph(
          'USD an hour, by provider',
          'currencyUSD',
          query('sum by (provider) (rate(weir_cost_usd_total[5m])) * 3600', '{{provider}}'),
          FLOATS,
        ),
        graph(
          'USD an hour, by model',
          'currencyUSD',
          query('topk(15, sum by (model) (rate(weir_cost_usd_total[5m])) * 3600)', '{{model}}'),
        ),
        graph(
          'USD of 24 hours, by model',
          'currencyUSD',
          query('topk(15, sum by (model) (increase(weir_cost_usd_total[24h])))', '{{model}}'),
        ),
      ],
    },
    {
      title: 'What it buys',
      panels: [
        graph(
          'USD of an attempt, by model',
          'currencyUSD',
          query('topk(15, sum by (model) (rate(weir_cost_usd_total[15m])) / sum by (model) (rate(weir_attempts_total[15m])))', '{{model}}'),
          'On average; longer prompts make it grow.',
        ),
        graph(
          'USD of a million tokens, by model',
          'currencyUSD',
          query(
            'topk(15, sum by (model) (rate(weir_cost_usd_total[15m])) / sum by (model) (rate(weir_tokens_total[15m])) * 1000000)',
            '{{model}}',
          ),
          'Of all kinds together: cached ones make it fall.',
        ),
        graph('Tokens a second, by kind', 'short', query('sum by (kind) (rate(weir_tokens_total[1m]))', '{{kind}}')),
        graph(
          'Prompt tokens that came from a cache',
          'percentunit',
          query(
            `sum by (provider) (rate(weir_tokens_total{kind="cache_read"}[15m])) / sum by (provider) (rate(weir_tokens_total{kind=~"${PROMPT}"}[15m]))`,
            '{{provider}}',
          ),
        ),
      ],
    },
  ],
};
