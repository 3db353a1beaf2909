import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAppend } from './measure-append';
import { measureDrain } from './measure-drain';
import { measureLag } from './measure-lag';

const HELP = `node tools/bench/dist/pipeline/main.js lag|drain|append [options]
  lag                 journal to rollups at an even rate: how long until an event can be read
    --per-second N    events a second (500)
    --seconds N       measured seconds (60), after --warm-up N (5)
  drain               how fast an aggregator folds what has piled up on the bus
    --events N        events that wait (300000)
    --writers N       journals they come from (8)
    --aggregators N   processes that share the partitions (1)
  append              CPU that journalling costs a worker, a record
    --attempts N      attempts of two records each (100000)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'per-second': { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '5' },
    events: { type: 'string', default: '300000' },
    writers: { type: 'string', default: '8' },
    aggregators: { type: 'string', default: '1' },
    attempts: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
});

const COMMANDS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  lag: async () => {
    const options = { perSecond: Number(values['per-second']), seconds: Number(values.seconds), warmUpSeconds: Number(values['warm-up']) };
    const { events, p50Ms, p99Ms, maxMs, transactions, cpu } = await measureLag(options);
    return [
      `${events} events, ${options.perSecond} a second: p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, slowest ${maxMs.toFixed(0)} ms from journal to rollups`,
      `${transactions} transactions`,
      `CPU, ms a second: ${describe(cpu, 0)}`,
    ];
  },
  drain: async () => {
    const { eventsPerSecond, warmPerSecond, transactions, cpu, peakMebibytes } = await measureDrain({
      events: Number(values.events),
      writers: Number(values.writers),
      aggregators: Number(values.aggregators),
    });
    return [
      `${Math.round(eventsPerSecond)} events/s from the first commit to the last, ${Math.round(warmPerSecond)} events/s in the second half`,
      `${transactions} transactions`,
      `CPU, us an event: ${describe(cpu, 1)}`,
      `memory of an aggregator: ${Math.round(peakMebibytes)} MiB at most`,
    ];
  },
  append: async () => {
    const { meterMicroseconds, journalMicroseconds, bytes } = await measureAppend({ attempts: Number(values.attempts) });
    return [
      `CPU a record of ${bytes.toFixed(0)} bytes: ${meterMicroseconds.toFixed(1)} us through the meter, ${journalMicroseconds.toFixed(1)} us of it in the journal`,
    ];
  },
};

function describe(cpu: Readonly<Record<string, number>>, digits: number): string {
  return Object.entries(cpu)
    .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
    .join(', ');
}

async function main(command: () => Promise<readonly string[]>): Promise<void> {
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  for (const line of await command()) console.log(line);
}

const chosen = COMMANDS[positionals[0] ?? ''];
if (values.help || chosen === undefined) {
  console.log(HELP);
} else {
  main(chosen).catch((error: unknown) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  });
}
