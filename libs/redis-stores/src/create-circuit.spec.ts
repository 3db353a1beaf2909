import { createCircuit } from './create-circuit';

const never = (): Promise<never> => new Promise(() => undefined);

describe('a circuit', () => {
  test('returns what the store returns, and rejects a call that takes too long', async () => {
    const run = createCircuit({ timeoutMs: 5, now: () => 0 });
    expect(await run(() => Promise.resolve('yes'))).toBe('yes');
    await expect(run(never)).rejects.toThrow('within 5 ms');
    await expect(run(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
  });

  test('stops asking after failures in a row, asks once a second, and is closed by the first success', async () => {
    let at = 0;
    const run = createCircuit({ failuresMax: 3, probeMs: 1000, now: () => at });
    const call = jest.fn(() => Promise.reject(new Error('down')));
    for (let count = 0; count < 10; count += 1) await expect(run(call)).rejects.toThrow();
    expect(call).toHaveBeenCalledTimes(3);
    at = 1000;
    for (let count = 0; count < 10; count += 1) await expect(run(call)).rejects.toThrow();
    expect(call).toHaveBeenCalledTimes(4);
    at = 2000;
    expect(await run(() => Promise.resolve('back'))).toBe('back');
    expect(await run(() => Promise.resolve('again'))).toBe('again');
  });

  test('a failure between successes does not open it', async () => {
    const run = createCircuit({ failuresMax: 2, now: () => 0 });
    for (let count = 0; count < 5; count += 1) {
      await expect(run(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
      expect(await run(() => Promise.resolve(count))).toBe(count);
    }
  });

  test('waits on behind calls that are replied to, and not without end', async () => {
    const run = createCircuit({ timeoutMs: 20, now: () => performance.now() });
    const replies = setInterval(() => void run(() => Promise.resolve()), 2);
    const beganMs = performance.now();
    await expect(run(never)).rejects.toThrow('within 20 ms');
    clearInterval(replies);
    expect(performance.now() - beganMs).toBeGreaterThan(100);
  });

  test('of which each part counts for itself, takes no reply of one for a sign of another', async () => {
    const run = createCircuit({ timeoutMs: 100, now: () => performance.now(), isApart: true });
    const replies = setInterval(() => void run(() => Promise.resolve(), 'one'), 2);
    const beganMs = performance.now();
    await expect(run(never, 'other')).rejects.toThrow('within 100 ms');
    clearInterval(replies);
    expect(performance.now() - beganMs).toBeLessThan(900);
  });
});
