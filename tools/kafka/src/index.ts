// This tool fetches a real Kafka broker by Maven coordinates, starts it and creates the topics.
export * from './create-topics';
export * from './fetch-kafka';
export * from './find-free-port';
export * from './start-kafka';
export * from './read-records';
