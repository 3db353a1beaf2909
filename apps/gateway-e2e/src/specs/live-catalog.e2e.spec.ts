import { getPostgres, type RealPostgres } from '@weir/testing';
import { startStandalone, type Harness } from '../harness/start-standalone';
import { describeLiveCatalog } from './live-catalog.conformance';

describe.each([
  ['in one process', '1'],
  ['in several processes on one machine', '2'],
])('a catalogue that is changed %s', (_, processes) => {
  let postgres: RealPostgres;
  let databaseUrl: string;
  let harness: Harness;
  const start = (dataDir?: string): Promise<Harness> =>
    startStandalone({ env: { DATABASE_URL: databaseUrl, PROCESSES: processes }, ...(dataDir === undefined ? {} : { dataDir }) });

  beforeAll(async () => {
    postgres = await getPostgres();
    databaseUrl = await postgres.createDatabase();
    harness = await start();
  }, 60_000);
  afterAll(async () => {
    await harness?.process.terminate();
    await postgres.stop();
  }, 30_000);

  describeLiveCatalog(() => ({
    ...{ url: harness.url, managementUrl: harness.managementUrl, apiKey: harness.apiKey, databaseUrl },
    metricsUrls: () => [harness.metricsUrl],
    restart: async () => {
      await harness.process.kill();
      harness = await start(harness.dataDir);
    },
  }));
});
