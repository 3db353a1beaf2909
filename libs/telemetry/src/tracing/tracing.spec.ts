import { openTracing } from './open-tracing';
import { encodeTraceParent, parseTraceParent } from './trace-parent';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

describe('traceparent', () => {
  it('is read as W3C writes it, and written the same', () => {
    const read = parseTraceParent(PARENT);
    expect(read).toEqual({ traceId: TRACE, spanId: 'b7ad6b7169203331', flags: 1 });
    expect(encodeTraceParent(read!)).toBe(PARENT);
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
  ])('%s begins a new trace', (text) => {
    expect(parseTraceParent(text)).toBeUndefined();
  });
});

// What a collector gets is looked at end to end, with services as processes of their own.
describe('tracing', () => {
  it('is nothing at all unless a collector is named', async () => {
    expect(await openTracing('test', { OTEL_TRACES_SAMPLER_ARG: 1 })).toBeUndefined();
  });

  it.each([
    [0, ['00', '01', '00']],
    [1, ['01', '01', '00']],
  ])('keeps the share %d of new traces, and follows the mark of those that came', async (share, marks) => {
    const tracing = await openTracing('test', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_SAMPLER_ARG: share });
    const start = (parent?: string) => tracing!.startSpan({ name: 'x', kind: 'server', parent, attributes: {} }).traceparent;
    const reported = [start(), start(PARENT), start(PARENT.replace(/01$/, '00'))];
    await tracing!.close();

    expect(reported.map((traceparent) => traceparent.slice(-2))).toEqual(marks);
    expect(reported[1]).toContain(TRACE);
    expect(reported[1]).not.toBe(PARENT);
  });
});
