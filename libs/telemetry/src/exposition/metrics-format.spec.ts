import { Gauge, Histogram } from 'prom-client';
import { createAttemptMetrics, type AttemptOutcome } from '../attempt-metrics';
import { createMetricsRegistry, createRequestMetrics, type MetricsRegistry } from '../metrics';
import { seenIn } from '../seen-in';
import { chooseMetricsFormat, writeMetrics } from './metrics-format';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const kept = (span = SPAN) => `00-${TRACE}-${span}-01`;

const linesOf = async (registry: MetricsRegistry, start: string): Promise<string[]> => {
  const page = await writeMetrics(registry, 'openmetrics');
  return page.split('\n').filter((line) => line.includes(start));
};

describe('metrics in OpenMetrics', () => {
  it('show beside a bucket the last traced request in it', async () => {
    const registry = createMetricsRegistry();
    const { started, finished } = createRequestMetrics(registry);
    for (const [seconds, traceparent] of [
      [0.3, kept('1111111111111111')],
      [0.4, kept()],
      [0.45, undefined],
      [0.46, kept().replace(/01$/, '00')],
      [900, kept()],
    ] as const) {
      started();
      finished('chat-completions', 200, seconds * 1000, seenIn(traceparent, 'r-1'));
    }
    const exemplar = `# {trace_id="${TRACE}",span_id="${SPAN}",request_id="r-1"}`;
    const buckets = await linesOf(registry, 'weir_request_seconds_bucket');
    const shown = buckets.filter((line) => line.includes(' # '));
    expect(shown).toEqual([
      expect.stringMatching(/^weir_request_seconds_bucket\{le="0\.5",endpoint="chat-completions"\} 4 # \{.*\} 0\.4 \d{10}(\.\d+)?$/),
      expect.stringMatching(/^weir_request_seconds_bucket\{le="\+Inf",endpoint="chat-completions"\} 5 # \{.*\} 900 \d{10}(\.\d+)?$/),
    ]);
    for (const line of shown) expect(line).toContain(exemplar);
    expect(buckets).toContain('weir_request_seconds_bucket{le="1.0",endpoint="chat-completions"} 4');
    expect(await writeMetrics(registry, 'text')).not.toContain('trace_id');
  });

  it('show attempts, and when they began to answer, by the span of the attempt', async () => {
    const registry = createMetricsRegistry();
    const metrics = createAttemptMetrics(registry);
    const outcome: AttemptOutcome = {
      ...{ endpoint: 'chat-completions', provider: 'p', model: 'm', outcome: 'ok', durationMs: 1500, firstByteMs: 200, costPico: 0n },
      tokens: { inputUncached: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1 },
      seen: seenIn(kept(), 'r-1'),
    };
    metrics.opened();
    metrics.settled(outcome);
    expect(await linesOf(registry, 'trace_id')).toEqual([
      expect.stringContaining('weir_attempt_seconds_bucket{le="2.5"'),
      expect.stringContaining('weir_attempt_first_byte_seconds_bucket{le="0.25"'),
    ]);
  });

  it('have the names and values of the plain page, and leave that as it was', async () => {
    const registry = createMetricsRegistry();
    const { started, finished } = createRequestMetrics(registry);
    started();
    finished('other', 200, 10);
    new Gauge({ name: 'odd', help: 'a "quoted"\nhelp \\', labelNames: ['what'], registers: [registry] }).set(
      { what: 'a "b"\n\\' },
      Infinity,
    );
    new Histogram({ name: 'old', help: 'x', buckets: [1], registers: [registry] }).observe(0.5);
    const before = namesOf(await writeMetrics(registry, 'text'));
    const page = await writeMetrics(registry, 'openmetrics');

    expect(namesOf(page)).toEqual(before);
    expect(namesOf(await writeMetrics(registry, 'text'))).toEqual(before);
    expect(page).toContain('# TYPE weir_requests counter\nweir_requests_total{endpoint="other",status="200"} 1\n');
    expect(page).toContain('# TYPE weir_request_seconds histogram\n# UNIT weir_request_seconds seconds\n');
    expect(page).toContain('# HELP odd a \\"quoted\\"\\nhelp \\\\\n# TYPE odd gauge\nodd{what="a \\"b\\"\\n\\\\"} +Inf\n');
    expect(page.endsWith('\n# EOF\n')).toBe(true);
    expect(page).not.toContain('\n\n');
  });

  it.each([
    [undefined, 'text'],
    ['*/*', 'text'],
    ['text/plain', 'text'],
    ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text; version=1.0.0; charset=utf-8', 'openmetrics'],
    [
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,*/*;q=0.2',
      'openmetrics',
    ],
    ['text/plain;version=0.0.4;q=0.9,application/openmetrics-text;q=0.3', 'text'],
    ['application/openmetrics-text;q=0', 'text'],
    ['application/openmetrics-text;q=nonsense', 'text'],
  ])('%p asks for %s', (accept, format) => {
    expect(chooseMetricsFormat(accept)).toBe(format);
  });
});

/** Names with their labels: bounds are written in another way, and values of the process move. */
function namesOf(page: string): string[] {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return [...new Set(lines.map((line) => /^[a-z_0-9]+/i.exec(line)?.[0] ?? line))].sort();
}
