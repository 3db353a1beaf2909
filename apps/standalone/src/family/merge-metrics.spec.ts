import { mergeMetrics } from './merge-metrics';

describe('mergeMetrics', () => {
  it('keeps the samples of one metric together, each with the name of its process', () => {
    const page = (value: number): string =>
      [
        '# HELP requests_total Finished requests',
        '# TYPE requests_total counter',
        `requests_total{path="/a b",status="{200}"} ${value}`,
        '',
        '# HELP memory_bytes Memory',
        '# TYPE memory_bytes gauge',
        `memory_bytes ${value}`,
        '',
      ].join('\n');
    const pages = [
      { process: 'books', text: page(1) },
      { process: 'gateway-1', text: `${page(2)}# HELP only_here X\n# TYPE only_here gauge\nonly_here 3\n` },
    ];
    expect(mergeMetrics(pages, 'text')).toBe(
      [
        '# HELP requests_total Finished requests',
        '# TYPE requests_total counter',
        'requests_total{process="books",path="/a b",status="{200}"} 1',
        'requests_total{process="gateway-1",path="/a b",status="{200}"} 2',
        '# HELP memory_bytes Memory',
        '# TYPE memory_bytes gauge',
        'memory_bytes{process="books"} 1',
        'memory_bytes{process="gateway-1"} 2',
        '# HELP only_here X',
        '# TYPE only_here gauge',
        'only_here{process="gateway-1"} 3',
        '',
      ].join('\n'),
    );
  });

  it('keeps units and exemplars of OpenMetrics, and ends once', () => {
    const page = (id: string): string =>
      [
        '# HELP request_seconds Time',
        '# TYPE request_seconds histogram',
        '# UNIT request_seconds seconds',
        `request_seconds_bucket{le="1.0"} 1 # {request_id="${id}"} 0.5 1795494044.1`,
        '# EOF',
        '',
      ].join('\n');
    expect(
      mergeMetrics(
        [
          { process: 'a', text: page('r-1') },
          { process: 'b', text: page('r-2') },
        ],
        'openmetrics',
      ),
    ).toBe(
      [
        '# HELP request_seconds Time',
        '# TYPE request_seconds histogram',
        '# UNIT request_seconds seconds',
        'request_seconds_bucket{process="a",le="1.0"} 1 # {request_id="r-1"} 0.5 1795494044.1',
        'request_seconds_bucket{process="b",le="1.0"} 1 # {request_id="r-2"} 0.5 1795494044.1',
        '# EOF',
        '',
      ].join('\n'),
    );
  });
});
