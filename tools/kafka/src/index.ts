// This tool fetches a real Kafka broker by Maven coordinates, starts it and creates the topics.
export { createTopics, createAndAwaitTopics } from './create-topics';
export { findFreePort } from './find-free-port';
export { startKafka, canRunKafka, type RunningKafka } from './start-kafka';
export { writeCertificate } from './write-certificate';
export { readRecords } from './read-records';
