import { TOPICS } from '@weir/contracts';
import { Kafka, logLevel, type Admin, type ITopicConfig, type KafkaConfig } from 'kafkajs';

type CreateTopicsOptions = {
  /** 1 on a single local broker; 3 in production. */
  readonly replicationFactor?: number;
  /** 1 on a single local broker; 2 in production, so that one broker can be lost without losing events or stopping. */
  readonly minInSyncReplicas?: number;
  readonly security?: Pick<KafkaConfig, 'ssl' | 'sasl'>;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** As long as late events are accepted, so that everything acceptable can be replayed. */
const RETENTION_DAYS = 35;
const LEADERS_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Creates every topic of the topic table that does not exist yet; returns the names it created. */
export async function createTopics(brokers: string, options: CreateTopicsOptions = {}): Promise<string[]> {
  const admin = new Kafka({
    ...{ clientId: 'weir-create-topics', brokers: brokers.split(','), logLevel: logLevel.NOTHING },
    ...options.security,
  }).admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = Object.values(TOPICS).filter((topic) => !existing.has(topic.name));
    if (missing.length === 0) return [];
    await createAndAwaitTopics(
      admin,
      missing.map((topic) => ({ topic: topic.name, numPartitions: topic.partitions, ...describeSettings(options) })),
    );
    return missing.map((topic) => topic.name);
  } finally {
    await admin.disconnect();
  }
}

/**
 * Creates topics and waits until every partition has a leader. The client's own waiting gives up when the broker does not
 * know the topic yet, which is normal for an instant after a KRaft controller created it.
 */
export async function createAndAwaitTopics(admin: Admin, topics: readonly ITopicConfig[]): Promise<void> {
  await admin.createTopics({ waitForLeaders: false, topics: [...topics] });
  const names = topics.map(({ topic }) => topic);
  const giveUpAt = Date.now() + LEADERS_TIMEOUT_MS;
  while (!(await haveLeaders(admin, names))) {
    if (Date.now() > giveUpAt) throw new Error(`the topics ${names.join(', ')} have no leaders after ${LEADERS_TIMEOUT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function haveLeaders(admin: Admin, names: string[]): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    return topics.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0));
  } catch {
    return false; // the broker does not know them yet
  }
}

function describeSettings(options: CreateTopicsOptions): Pick<ITopicConfig, 'replicationFactor' | 'configEntries'> {
  return {
    replicationFactor: options.replicationFactor ?? 1,
    configEntries: [
      { name: 'retention.ms', value: String(RETENTION_DAYS * DAY_MS) },
      { name: 'compression.type', value: 'producer' },
      { name: 'min.insync.replicas', value: String(options.minInSyncReplicas ?? 1) },
    ],
  };
}
