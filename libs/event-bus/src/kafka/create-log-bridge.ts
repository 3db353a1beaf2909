import { logLevel, type logCreator } from 'kafkajs';
import type { BusLog } from '../usage-bus';

/**
 * The client warns whenever an idempotent producer may give up. Ours does on purpose: the journal publishes again, and
 * the writer's sequence, not the producer's, is what removes repeats.
 */
const EXPECTED = /^Limiting retries for the idempotent producer/;

/** Sends the Kafka client's own messages to our log, as warnings at most: it calls every lost connection an error. */
export function createLogBridge(log: BusLog): logCreator {
  return () => (entry) => {
    const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...fields } = entry.log;
    if (EXPECTED.test(message)) return;
    const described = { ...fields, client: entry.namespace };
    if (entry.level === logLevel.ERROR || entry.level === logLevel.WARN) log.warn(described, `kafka: ${message}`);
    else log.info(described, `kafka: ${message}`);
  };
}
