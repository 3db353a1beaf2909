import { rm } from 'node:fs/promises';
import { canRunKafka, startKafka } from '@weir/kafka';
import { endWithProcess } from './end-with-process';
import { makeTestFolder } from '../folders';
import { findFreePort } from './find-free-port';
import { announcePart, PART_VARIABLES } from './real-part';
import { mayHaveContainers, startContainer } from './start-container';

export type RealKafka = { /** `host:port`, comma-separated. */ readonly brokers: string; stop(): Promise<void> };

const IMAGE = 'apache/kafka:4.1.0';

/** A broker of the suite's own, unless the environment names one; undefined when none can be had. */
export async function getKafka(): Promise<RealKafka | undefined> {
  const given = process.env[PART_VARIABLES.kafka];
  if (given !== undefined && given !== '') {
    announcePart('kafka', 'environment', PART_VARIABLES.kafka);
    return { brokers: given, stop: () => Promise.resolve() };
  }
  const container = mayHaveContainers() ? await startKafkaContainer() : undefined;
  if (container !== undefined) {
    announcePart('kafka', 'container', IMAGE);
    return container;
  }
  if (!canRunKafka()) return undefined;
  const directory = makeTestFolder('kafka');
  const kafka = await startKafka({ directory });
  const ending = endWithProcess(kafka.pid);
  announcePart('kafka', 'local program', `java at ${kafka.brokers}`);
  return {
    brokers: kafka.brokers,
    stop: async () => {
      ending.release();
      await kafka.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startKafkaContainer(): Promise<RealKafka | undefined> {
  // A broker advertises its address to its clients, so the port on this machine must be known before it starts.
  const hostPort = await findFreePort();
  const container = await startContainer({
    image: IMAGE,
    containerPort: 9092,
    hostPort,
    readyLine: /Kafka Server started/,
    environment: {
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${hostPort}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    },
  });
  return container === undefined ? undefined : { brokers: `127.0.0.1:${hostPort}`, stop: () => container.stop() };
}
