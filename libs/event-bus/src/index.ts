// This library carries usage events from journals to the aggregator: Kafka, or in process.
export { createInProcessUsageBus } from './create-in-process-usage-bus';
export { createKafkaUsageBus } from './kafka/create-kafka-usage-bus';
export type { UsageHandler, UsageConsumer, UsageBus } from './usage-bus';
