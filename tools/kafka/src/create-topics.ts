import { TOPICS } from '@weir/contracts';
import { Kafka, logLevel } from 'kafkajs';

export type CreateTopicsOptions = {
  /** 1 on a single local broker; 3 in production. */
  readonly replicationFactor?: number;
  /** 1 on a single local broker; 2 in production, so that one broker can be lost without losing events or stopping. */
  readonly minInSyncReplicas?: number;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** As long as late events are accepted, so that everything acceptable can be replayed. */
const RETENTION_DAYS = 35;

/** Creates every topic of the topic table that does not exist yet; answers the names it created. */
export async function createTopics(brokers: string, options: CreateTopicsOptions = {}): Promise<string[]> {
  const admin = new Kafka({ clientId: 'weir-create-topics', brokers: brokers.split(','), logLevel: logLevel.ERROR }).admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = Object.values(TOPICS).filter((topic) => !existing.has(topic.name));
    if (missing.length === 0) return [];
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map((topic) => ({
        topic: topic.name,
        numPartitions: topic.partitions,
        replicationFactor: options.replicationFactor ?? 1,
        configEntries: [
          { name: 'retention.ms', value: String(RETENTION_DAYS * DAY_MS) },
          { name: 'compression.type', value: 'producer' },
          { name: 'min.insync.replicas', value: String(options.minInSyncReplicas ?? 1) },
        ],
      })),
    });
    return missing.map((topic) => topic.name);
  } finally {
    await admin.disconnect();
  }
}
