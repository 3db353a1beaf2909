import { createTopics } from '@weir/kafka';
import { describeWithRealParts } from '@weir/testing';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';
import { describeLiveCatalog } from './live-catalog.conformance';

describeWithRealParts(['postgres', 'redis', 'kafka'], 'a catalogue that is changed in one process per service', () => {
  let parts: TakenParts;
  let harness: DistributedHarness;
  const following = ['edge-router', 'management-api', 'chat-translator', 'media-service'] as const;

  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    harness = await startDistributed(parts);
  }, 180_000);
  afterAll(async () => {
    await harness?.stop();
    await parts.stop();
  }, 60_000);

  describeLiveCatalog(() => ({
    ...{ url: harness.url, managementUrl: harness.managementUrl, apiKey: harness.apiKey, databaseUrl: parts.databaseUrl },
    metricsUrls: () => following.map((service) => harness.metricsAddressOf(service)),
    restart: async () => {
      for (const service of ['edge-router', 'chat-translator'] as const) {
        await harness.services[service].kill();
        await harness.restart(service);
      }
    },
  }));
});
