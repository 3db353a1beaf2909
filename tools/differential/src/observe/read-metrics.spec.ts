import { parseMetrics, renderMetrics } from './read-metrics';

const page = (requests: number, seconds: number, count: number, memory: number): string => `# HELP a b
# TYPE requests_total counter
requests_total{status="200"} ${requests}
# TYPE request_seconds histogram
request_seconds_bucket{le="0.1"} ${count}
request_seconds_sum ${seconds}
request_seconds_count ${count}
# TYPE memory_bytes gauge
memory_bytes ${memory}
`;

describe('the metrics page', () => {
  it('counters and counts of histograms are compared by what the run added, all else by name and labels', () => {
    const [sight] = renderMetrics(parseMetrics(page(3, 0.5, 3, 100)), parseMetrics(page(10, 0.7, 10, 120)));

    expect(sight?.text.split('\n')).toEqual([
      'memory_bytes',
      'request_seconds_bucket{le="0.1"}',
      'request_seconds_count 7',
      'request_seconds_sum',
      'requests_total{status="200"} 7',
    ]);
  });

  it('a sample that the run began counts from nothing', () => {
    const [sight] = renderMetrics(parseMetrics('# TYPE requests_total counter'), parseMetrics(page(2, 0, 0, 0)));

    expect(sight?.text).toContain('requests_total{status="200"} 2');
  });
});
