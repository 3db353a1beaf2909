import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureFolding } from './measure-folding';
import { measureQueries } from './measure-queries';

const HELP = `node tools/bench/dist/usage/main.js fold|query [options]
  fold                  batches of usage events into rollups, as fast as they go
    --seconds N         measured seconds (8)
    --lanes N           batches at once (2)
    --batch N           events in a batch (2000)
  query                 usage questions on a generated data set of one large organization
    --series N          series of the organization; each is used in half of all hours (400)
    --days N            days (100)
    --repeat N          times each question is asked (5)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    lanes: { type: 'string', default: '2' },
    batch: { type: 'string', default: '2000' },
    series: { type: 'string', default: '400' },
    days: { type: 'string', default: '100' },
    repeat: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  if (positionals[0] === 'query')
    return measureQueries({ series: Number(values.series), days: Number(values.days), repeat: Number(values.repeat) });
  const result = await measureFolding({ seconds: Number(values.seconds), lanes: Number(values.lanes), batchSize: Number(values.batch) });
  const round = (value: number | null): string => (value === null ? 'n/a' : value.toFixed(1));
  console.log(`${Math.round(result.eventsPerSecond)} events/s`);
  console.log(`CPU an event: ${round(result.ownMicroseconds)} us here, ${round(result.postgresMicroseconds)} us in Postgres`);
}

if (values.help || (positionals[0] !== 'fold' && positionals[0] !== 'query')) {
  console.log(HELP);
} else {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  });
}
