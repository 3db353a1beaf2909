import { createMemoryProcessReports } from '@weir/access';
import { processReport } from '@weir/contracts';
import type { HealthDescription } from '@weir/routing';
import { startProcessReports } from './start-process-reports';

const NOTHING: HealthDescription = { ejected: [], outcomes: [], latencies: [] };
const PROVIDERS = [{ id: 'one', name: 'One', isSetUp: true, needs: [['ONE_API_KEY']], keyWays: [['api_key']], keyOptional: [] }];

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function open(publish?: () => Promise<void>) {
  const kept = createMemoryProcessReports({ now: Date.now });
  let known = NOTHING;
  const published: string[] = [];
  const reports = {
    ...kept,
    publish: async (id: string, text: string, forMs: number) => {
      published.push(text);
      await publish?.();
      await kept.publish(id, text, forMs);
    },
  };
  const stop = startProcessReports({ reports, health: { describe: () => known }, providers: { describe: () => PROVIDERS }, now: Date.now });
  return { published, kept, stop, learn: (next: HealthDescription) => (known = next) };
}

const EJECTED: HealthDescription = { ...NOTHING, ejected: [{ provider: 'one', region: null, account: null, forMs: 30_000 }] };

it('reports at once, what is new within seconds, and what is not new often enough to be heard of', async () => {
  const { published, kept, stop, learn } = open();
  await jest.advanceTimersByTimeAsync(2_999);
  expect(published).toHaveLength(1);
  expect(processReport.parse(JSON.parse((await kept.list())[0] ?? ''))).toMatchObject({ providers: PROVIDERS, ...NOTHING });

  learn(EJECTED);
  await jest.advanceTimersByTimeAsync(1);
  expect(published).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(published.length).toBeGreaterThanOrEqual(8);
  expect(published.length).toBeLessThanOrEqual(9);
  expect((await kept.list()).map((text) => processReport.parse(JSON.parse(text)).ejected)).toEqual([EJECTED.ejected]);

  await stop();
  expect(await kept.list()).toEqual([]);
});

it('goes on after reports that could not be published, and never has two under way', async () => {
  let isAway = true;
  const { published, kept, stop, learn } = open(() =>
    isAway ? new Promise((_, reject) => setTimeout(() => reject(new Error('away')), 7_000)) : Promise.resolve(),
  );
  await jest.advanceTimersByTimeAsync(6_500);
  expect(published).toHaveLength(1);
  isAway = false;
  learn(EJECTED);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(published).toHaveLength(2);
  expect(await kept.list()).toHaveLength(1);
  await stop();
});
