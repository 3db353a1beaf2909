import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureFolding } from './measure-folding';
import { isKept, measureQueries, type QueryResult, type State } from './measure-queries';

const HELP = `node tools/bench/dist/usage/main.js fold|query [options]
  fold                  batches of usage events into rollups, as fast as they go
    --seconds N         measured seconds (8)
    --lanes N           batches at once (2)
    --batch N           events in a batch (2000)
    --json FILE         writes the figures that npm run scale takes
  query                 usage questions on a generated data set of one large organization: alone, with Postgres
                        started anew, and beside counting; fails when one takes longer than is promised
    --series N          series of the organization; each is used in half of all hours (8400: ten million hourly rows)
    --days N            days (100)
    --repeat N          times each question is asked (20)
    --ingest N          events a second that are counted meanwhile (5000)
    --promised          only what something is promised of
    --url URL           a migrated database to generate into, or that was generated into before; it is not started anew`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    lanes: { type: 'string', default: '2' },
    batch: { type: 'string', default: '2000' },
    json: { type: 'string' },
    series: { type: 'string', default: '8400' },
    days: { type: 'string', default: '100' },
    repeat: { type: 'string', default: '20' },
    ingest: { type: 'string', default: '5000' },
    promised: { type: 'boolean', default: false },
    url: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function runQuery(): Promise<void> {
  const result = await measureQueries(
    {
      series: Number(values.series),
      days: Number(values.days),
      repeat: Number(values.repeat),
      ingestPerSecond: Number(values.ingest),
      isPromisedOnly: values.promised,
      ...(values.url === undefined ? {} : { url: values.url }),
    },
    console.log,
  );
  for (const line of describeResult(result)) console.log(line);
  if (!result.isHeld) process.exitCode = 1;
}

function describeResult({ states, ingestedPerSecond, isHeld }: QueryResult): string[] {
  return [
    `| question | p95 promised | ${states.map(({ name }) => `${name} p50 | p95 | `).join('')}|`,
    `|${'---|'.repeat(2 + 2 * states.length + 1)}`,
    ...(states[0]?.measured ?? []).map((_, at) => describeRow(states, at)),
    `${Math.round(ingestedPerSecond)} events/s counted`,
    isHeld ? 'pass' : 'FAIL',
  ];
}

/** One question in all states. */
function describeRow(states: readonly State[], at: number): string {
  const all = states.flatMap(({ measured }) => measured[at] ?? []);
  const { name, p95MaxMs } = all[0]?.question ?? { name: '', p95MaxMs: null };
  const times = all.flatMap(({ p50Ms, p95Ms }) => [p50Ms, p95Ms]).map((ms) => `${Math.round(ms)} ms`);
  return `| ${[name, ...(p95MaxMs === null ? ['', ...times, ''] : [`${p95MaxMs} ms`, ...times, all.every(isKept) ? 'pass' : 'FAIL'])].join(' | ')} |`;
}

async function main(): Promise<void> {
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  if (positionals[0] === 'query') return runQuery();
  const result = await measureFolding({ seconds: Number(values.seconds), lanes: Number(values.lanes), batchSize: Number(values.batch) });
  const round = (value: number | null): string => (value === null ? 'n/a' : value.toFixed(1));
  console.log(`${Math.round(result.eventsPerSecond)} events/s`);
  console.log(
    `CPU an event: ${round(result.ownMicroseconds)} us here, ${round(result.postgresMicroseconds)} us in Postgres; ${round(result.rowBytes)} bytes on its disk`,
  );
  if (values.json === undefined) return;
  const figures = { postgresEventsMax: Math.round(result.eventsPerSecond), eventRowBytes: Math.round(result.rowBytes) };
  writeFileSync(values.json, `${JSON.stringify(figures)}\n`);
}

if (values.help || (positionals[0] !== 'fold' && positionals[0] !== 'query')) {
  console.log(HELP);
} else {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  });
}
