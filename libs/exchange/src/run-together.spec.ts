import { runTogether } from './run-together';

describe('work done together', () => {
  it('keeps its order, and never has more under way than it may', async () => {
    let underWay = 0;
    let most = 0;
    const results = await runTogether({
      count: 7,
      atOnce: 3,
      work: async (index) => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return index * 2;
      },
      stop: () => undefined,
    });
    expect([results, most]).toEqual([[0, 2, 4, 6, 8, 10, 12], 3]);
  });

  it('begins nothing after a failure, and is over when all is', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const running = runTogether({
      count: 5,
      atOnce: 2,
      work: async (index) => {
        begun.push(index);
        if (index === 1) throw new Error('failed');
        await held;
        ended.push(index);
      },
      stop: () => release(),
    });
    await expect(running).rejects.toThrow('failed');
    expect([begun, ended]).toEqual([[0, 1], [0]]);
  });
});
