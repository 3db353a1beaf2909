// This room carries usage events from journals to the aggregator: Kafka, or in process.
export {};
