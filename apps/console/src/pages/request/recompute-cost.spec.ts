import { layOutWaterfall } from './lay-out-waterfall';
import { recomputeCost } from './recompute-cost';

describe('a cost by its lines', () => {
  it('is proven by tokens, prices and amounts', () => {
    const lines = [
      { unit: 'input', quantity: '1200', price: '0.00000015', amount: '0.00018' },
      { unit: 'output', quantity: '7', price: '0.0000006', amount: '0.0000042' },
    ];
    expect(recomputeCost(lines, '0.0001842')).toEqual({
      lines: [
        { unit: 'Input', quantity: '1,200', price: '$0.15', per: 'M tokens', amount: '$0.00018', isRight: true },
        { unit: 'Output', quantity: '7', price: '$0.60', per: 'M tokens', amount: '$0.0000042', isRight: true },
      ],
      ...{ sum: '$0.0001842', isRounded: false, isRight: true },
    });
    expect(recomputeCost(lines, '0.0001843').isRight).toBe(false);
    expect(recomputeCost([{ unit: 'input', quantity: '2', price: '1', amount: '3' }], '3').isRight).toBe(false);
    expect(recomputeCost([], '0')).toEqual({ lines: [], sum: '$0.00', isRounded: false, isRight: true });
  });

  it('is rounded once, half to even, where the sum is finer', () => {
    const lines = [{ unit: 'second', quantity: '1.5', price: '0.000000000003', amount: '0.0000000000045' }];
    expect(recomputeCost(lines, '0.000000000004')).toMatchObject({ isRounded: true, isRight: true, lines: [{ per: 'second' }] });
  });

  it('names variants and units that are new', () => {
    const line = { quantity: '1', price: '0.08', amount: '0.08' };
    const { lines } = recomputeCost(
      [
        { ...line, unit: 'image:hd:1024x1024' },
        { ...line, unit: 'video_frame' },
      ],
      '0.16',
    );
    expect(lines.map(({ unit, per }) => `${unit} per ${per}`)).toEqual(['Images, hd, 1024x1024 per image', 'video frame per unit']);
  });
});

describe('a waterfall', () => {
  const at = (ms: number): string => new Date(Date.UTC(2026, 10, 23) + ms).toISOString();

  it('puts attempts on the time of their request', () => {
    const { totalMs, spans, ticks } = layOutWaterfall(at(0), [
      { number: 1, started_at: at(-5), ended_at: at(100), milliseconds: 105, first_byte_milliseconds: null },
      { number: 2, started_at: at(110), ended_at: at(900), milliseconds: 790, first_byte_milliseconds: 200 },
      { number: 3, started_at: null, ended_at: at(1000), milliseconds: 0, first_byte_milliseconds: 5 },
    ]);
    expect([totalMs, ticks]).toEqual([1000, [0, 500, 1000]]);
    expect(spans).toEqual([
      { number: 1, startMs: 0, firstByteMs: null, endMs: 100, isStartUnknown: false },
      { number: 2, startMs: 110, firstByteMs: 310, endMs: 900, isStartUnknown: false },
      { number: 3, startMs: 1000, firstByteMs: null, endMs: 1000, isStartUnknown: true },
    ]);
  });

  it('has a length even of nothing', () => {
    expect(layOutWaterfall(at(0), [])).toEqual({ totalMs: 1, spans: [], ticks: [0, 1] });
  });
});
