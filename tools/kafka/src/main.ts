import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kafkaSecurityEnv, loadEnv, readKafkaSecurity } from '@weir/config';
import { createTopics } from './create-topics';
import { startKafka } from './start-kafka';

const USAGE = `Usage:
  node tools/kafka/dist/main.js start  [--directory .tmp/kafka-data] [--port 9092] [--kafka-version <version>]
  node tools/kafka/dist/main.js topics [--brokers 127.0.0.1:9092] [--replication 1] [--min-in-sync 1]
How brokers of topics are reached is set as for services: KAFKA_TLS, KAFKA_SASL_MECHANISM, … (docs/settings.md).`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      directory: { type: 'string', default: join('.tmp', 'kafka-data') },
      port: { type: 'string', default: '9092' },
      'kafka-version': { type: 'string' },
      brokers: { type: 'string', default: '127.0.0.1:9092' },
      replication: { type: 'string', default: '1' },
      'min-in-sync': { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  if (positionals[0] === 'start') return start(values.directory, Number(values.port), values['kafka-version']);
  if (positionals[0] !== 'topics') throw new Error(USAGE);
  const created = await createTopics(values.brokers, {
    replicationFactor: Number(values.replication),
    minInSyncReplicas: Number(values['min-in-sync']),
    security: readKafkaSecurity(loadEnv(kafkaSecurityEnv)),
  });
  console.log(created.length === 0 ? 'every topic exists already' : `created ${created.join(', ')}`);
}

/** Runs the broker with its topics until it is interrupted. */
async function start(directory: string, port: number, version: string | undefined): Promise<void> {
  const kafka = await startKafka({ directory, port, log: console.log, ...(version === undefined ? {} : { version }) });
  const created = await createTopics(kafka.brokers);
  console.log(`kafka serves ${kafka.brokers}${created.length === 0 ? '' : `, created ${created.join(', ')}`}; Ctrl-C stops it`);
  const stop = (): void => void kafka.stop().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
