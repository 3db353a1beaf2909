import { checkExpression } from './check-expression';

const MADE = new Map([
  ['weir_requests_total', { kind: 'counter', labels: ['endpoint', 'status'] }],
  ['weir_connections', { kind: 'gauge', labels: [] }],
  ['weir_request_seconds', { kind: 'histogram', labels: ['endpoint'] }],
]);

describe('an expression', () => {
  it.each([
    'sum by (endpoint) (rate(weir_requests_total{status=~"5..",service="edge-router"}[5m])) / 2 > 0.02',
    'histogram_quantile(0.99, sum by (le, endpoint) (rate(weir_request_seconds_bucket[5m])))',
    'max by (instance) (weir_connections) or vector(0)',
    'up{service=~"a|b"} == 0',
    'weir_requests_total unless weir_requests_total offset 15m',
  ])('is sound: %s', (expression) => {
    expect(checkExpression(expression, MADE)).toEqual([]);
  });

  it.each([
    ['sum(rate(weir_requests_total[5m])', /makes no sense/],
    ['sum by (model) (rate(weir_requests_total[5m]))', 'weir_requests_total has no label model'],
    ['rate(weir_requests_total{model="x"}[5m])', 'weir_requests_total has no label model'],
    ['rate(weir_request_total[5m])', 'asks for weir_request_total, which no process serves'],
    ['weir_request_seconds', 'asks for weir_request_seconds, which no process serves'],
    ['sum by (le) (rate(weir_request_seconds_sum[5m]))', 'weir_request_seconds_sum has no label le'],
    ['rate(weir_connections[5m])', 'takes the rate of weir_connections, a gauge'],
    ['weir_request_seconds_count > 3', 'shows weir_request_seconds_count, which only grows'],
  ])('is refused: %s', (expression, problem) => {
    expect(checkExpression(expression, MADE)).toEqual([expect.stringMatching(problem)]);
  });
});
