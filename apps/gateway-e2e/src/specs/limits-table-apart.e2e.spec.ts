import { createTopics } from '@weir/kafka';
import { describeWithRealParts } from '@weir/testing';
import { describeLimitsTable } from './limits-table.conformance';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

const HOLD_TTL_MS = 3_000;

describeWithRealParts(['postgres', 'redis', 'kafka'], 'the table of limits, with services apart', () => {
  let harness: DistributedHarness | undefined;
  let parts: TakenParts | undefined;
  afterAll(async () => {
    await harness?.stop();
    await parts?.stop();
  }, 60_000);

  describeLimitsTable(
    async () => {
      parts = await takeRealParts();
      await createTopics(parts.brokers);
      const started = await startDistributed(parts, { HOLD_TTL_MS: String(HOLD_TTL_MS) });
      harness = started;
      const { url, managementUrl, apiKey } = started;
      return {
        ...{ url, managementUrl, apiKey },
        killWorker: async () => {
          await started.services['chat-translator'].kill();
          await started.restart('chat-translator');
        },
      };
    },
    // Holds of the killed expire, and then a request finds them gone.
    { killedWithinMs: 3 * HOLD_TTL_MS },
  );
});
