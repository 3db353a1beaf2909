import { createMemoryHoldStore, monthlyScope, type HoldStore } from '@weir/limits';
import { createLeaseBook, type LeaseBook } from './lease-book';

const SCOPE = monthlyScope('key', 'k', Date.now());
const USD = 1_000_000_000_000n;

describe('the lease book', () => {
  let now: number;
  let store: HoldStore;
  let book: LeaseBook;
  const ask = (max = 10n * USD) => ({
    organizationId: 'o',
    apiKeyId: 'k',
    limits: [{ scope: SCOPE, kind: 'key' as const, max }],
  });
  const taken = async (): Promise<bigint> => (await store.readTaken('o', [SCOPE])).get(SCOPE) ?? 0n;
  const settle = () => jest.advanceTimersByTimeAsync(0);
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute += 1) {
      now += 60_000;
      await jest.advanceTimersByTimeAsync(60_000);
    }
  };

  beforeEach(async () => {
    jest.useFakeTimers();
    now = 1_000;
    store = createMemoryHoldStore({ now: () => now });
    book = createLeaseBook({ store, now: () => now });
    await store.seed('o', [{ scope: SCOPE, base: 0n, version: 0n }]);
  });
  afterEach(async () => {
    await book.close();
    jest.useRealTimers();
  });

  it('takes a hundredth of the limit, a dollar at most, once, out of the limit itself', async () => {
    book.take(ask());
    book.take(ask());
    await settle();
    expect(await taken()).toBe(USD / 10n);
    const large = createLeaseBook({ store, now: () => now });
    large.take(ask(1_000n * USD));
    await settle();
    expect(await taken()).toBe(USD / 10n + USD);
    await large.close();
    expect(await taken()).toBe(USD / 10n);
  });

  it('spends no more than it holds, and nothing that it does not hold', async () => {
    expect(book.spend(ask(), 1n)).toBe(false);
    book.take(ask());
    await settle();
    expect(book.spend(ask(), (USD / 10n) * 2n)).toBe(false);
    expect([book.spend(ask(), USD / 20n), book.spend(ask(), USD / 20n), book.spend(ask(), 1n)]).toEqual([true, true, false]);
    expect(book.spend({ ...ask(), limits: [] }, 1n)).toBe(false);
  });

  it('gives an unspent lease to a limit that needs it, and takes no other for a while', async () => {
    book.take(ask());
    await settle();
    expect(await book.release(ask())).toBe(true);
    book.take(ask());
    await settle();
    expect(await taken()).toBe(0n);
    expect(await book.release(ask())).toBe(false);
    await minutes(6);
    book.take(ask());
    await settle();
    expect(await taken()).toBe(USD / 10n);
  });

  it('leaves what was spent from to expire, once every worker has reported what it has begun on it', async () => {
    await store.enrolWriter('worker');
    const probe = (holdId: string) => store.reserve({ ...ask(), holdId, amounts: [0n], leasts: [0n], ttlMs: 1 });
    book.take(ask());
    await settle();
    book.spend(ask(), 1n);
    expect(await book.release(ask())).toBe(false);
    await minutes(16);
    await probe('first');
    expect(await taken()).toBe(USD / 10n);
    await store.reportWriter('worker', await store.enrolWriter('worker'));
    await probe('second');
    expect(await taken()).toBe(0n);
  });

  it('gives back what a key that is not used any more does not need', async () => {
    book.take(ask());
    await settle();
    await minutes(7);
    expect(await taken()).toBe(0n);
  });

  it('cannot be spent from when it was not renewed for long: others may have its money by then', async () => {
    const away = createLeaseBook({ store: { ...store, renew: () => Promise.reject(new Error('away')) }, now: () => now });
    away.take(ask());
    await settle();
    now += 430_000;
    expect(away.spend(ask(), 1n)).toBe(false);
    await away.close();
  });
});
