import { digestJson } from './digest-json';

describe('digestJson', () => {
  it('is the same for equal values, in whatever order their members are', async () => {
    const one = { a: 1, b: [{ c: 'x', d: null }, true], e: undefined };
    const other = { b: [{ d: null, c: 'x' }, true], a: 1 };
    expect(await digestJson(one)).toBe(await digestJson(other));
  });

  it('distinguishes values that look alike', async () => {
    const values = [
      {},
      [],
      '',
      null,
      false,
      0,
      '0',
      ['0'],
      [0],
      [[], []],
      [[[]]],
      { a: 'b' },
      { 'a"': 'b' },
      ['a', 'b'],
      ['a,"1:b'],
      ['ab'],
      '\ud83d',
      '\ude00',
      '\ufffd',
      '😀',
      'x'.repeat(600_000),
      'x'.repeat(600_001),
      `${'x'.repeat(524_287)}\ud83d\ude00`,
      `${'x'.repeat(524_287)}\ud83d\ude01`,
    ];
    const digests = await Promise.all(values.map((value) => digestJson(value)));
    expect(new Set(digests).size).toBe(values.length);
  });

  it('lets others have their turn', async () => {
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    await digestJson(Array.from({ length: 400_000 }, (_, index) => ({ index })));
    isOver = true;
    expect(turns).toBeGreaterThan(3);
  });
});
