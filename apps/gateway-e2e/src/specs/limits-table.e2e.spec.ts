import { startStandalone, type Harness } from '../harness/start-standalone';
import { describeLimitsTable } from './limits-table.conformance';

describe('the table of limits in one process', () => {
  let harness: Harness;
  const env = { HOLD_TTL_MS: '3000' };
  afterAll(() => harness.process.terminate());

  describeLimitsTable(
    async () => {
      harness = await startStandalone({ env });
      const { dataDir, apiKey } = harness;
      const gateway = {
        apiKey,
        url: harness.url,
        managementUrl: harness.managementUrl,
        // The worker is the whole gateway here: another one starts on what it left.
        killWorker: async () => {
          await harness.process.kill();
          harness = await startStandalone({ env: { ...env, PORT: new URL(harness.url).port }, dataDir });
        },
      };
      return gateway;
    },
    { killedWithinMs: 10_000 },
  );
});
