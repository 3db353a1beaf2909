// This library carries usage events from journals to the aggregator: Kafka, or in process.
export * from './create-in-process-usage-bus';
export * from './kafka/create-kafka-usage-bus';
export * from './usage-bus';
