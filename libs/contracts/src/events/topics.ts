/** Kafka topics. A new major version of an event gets a new topic; both are read for 35 days. */
export const TOPICS = {
  usage: { name: 'weir.usage.v1', partitions: 32, keyedBy: 'writer_id' },
} as const;

export const USAGE_CONSUMER_GROUP = 'weir-usage-aggregator';
