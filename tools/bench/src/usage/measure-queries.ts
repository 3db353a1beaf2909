import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createDatabase, createUsageStore, type Database } from '@weir/database';
import { nextMessage, stopChild } from '../measure/start-child';
import { percentile } from '../revocations/percentile';
import { generateUsage, type GeneratedUsage } from './generate-usage';
import type { IngestReply, IngestJob } from './ingest';
import { askOf, QUESTIONS, type Question } from './questions';
import { startDatabase, type BenchDatabase } from './start-database';

type QueryOptions = {
  readonly series: number;
  readonly days: number;
  readonly repeat: number;
  /** Events counted beside the last of the questions. */
  readonly ingestPerSecond: number;
  /** Leaves out what nothing is promised of. */
  readonly isPromisedOnly: boolean;
  /** A database to generate into, or that was generated into before; one of this measurement alone unless given. */
  readonly url?: string;
};

type Measured = { readonly question: Question; readonly p50Ms: number; readonly p95Ms: number };
export type State = { readonly name: string; readonly measured: readonly Measured[] };
export type QueryResult = {
  readonly states: readonly State[];
  readonly ingestedPerSecond: number;
  readonly isHeld: boolean;
};

const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB' };
/** Of the asked rate, so that the questions had it beside them. */
const INGEST_SHARE_MIN = 0.97;
/** What takes seconds and is promised nothing is not asked as often. */
const UNPROMISED_REPEAT_MAX = 5;

/**
 * Asks what acceptance asks: alone, again after Postgres was started anew, with little of the data in its own memory, and
 * then while events are counted. The first answer of each may be cold and does not count.
 */
export async function measureQueries(options: QueryOptions, report: (line: string) => void): Promise<QueryResult> {
  let opened = await openDatabase(options.url);
  try {
    const usage = await generateUsage(opened.database, options);
    report(`${usage.hours} hourly and ${usage.days} daily rows, ${usage.cubes} rows of cubes`);
    const states: State[] = [];
    const ask = async (name: string): Promise<void> => {
      states.push({ name, measured: await askAll(opened.database, usage, options) });
    };
    await ask('alone');
    if (opened.restart !== undefined) {
      opened = await opened.restart();
      await ask('Postgres started anew');
    }
    const ingest = startIngest({ url: opened.url, perSecond: options.ingestPerSecond });
    await ask(`beside ${options.ingestPerSecond} events/s`).finally(() => ingest.reportStop());
    const { events, seconds } = await ingest.answer;
    const ingestedPerSecond = events / seconds;
    const isHeld =
      states.every(({ measured }) => measured.every(isKept)) && ingestedPerSecond >= options.ingestPerSecond * INGEST_SHARE_MIN;
    return { states, ingestedPerSecond, isHeld };
  } finally {
    await opened.close();
  }
}

/** Whether what is promised of a question was kept. */
export function isKept({ question: { p95MaxMs }, p95Ms }: Measured): boolean {
  return p95MaxMs === null || p95Ms <= p95MaxMs;
}

type Opened = {
  readonly database: Database;
  readonly url: string;
  /** Absent where Postgres is not ours. */
  restart?(): Promise<Opened>;
  close(): Promise<void>;
};

async function openDatabase(url: string | undefined): Promise<Opened> {
  if (url === undefined) return ownDatabase(await startDatabase(SETTINGS));
  const database = createDatabase({ url });
  return { database, url, close: () => database.close() };
}

function ownDatabase(started: BenchDatabase): Opened {
  const { database, url } = started;
  return { database, url, restart: async () => ownDatabase(await started.restart()), close: () => started.stop() };
}

async function askAll(database: Database, usage: GeneratedUsage, { repeat, isPromisedOnly }: QueryOptions): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const question of QUESTIONS.filter(({ p95MaxMs }) => p95MaxMs !== null || !isPromisedOnly)) {
    const times: number[] = [];
    const asked = question.p95MaxMs === null ? Math.min(repeat, UNPROMISED_REPEAT_MAX) : repeat;
    for (let at = 0; at <= asked; at += 1) times.push(await askOnce(database, usage, question));
    const warm = times.slice(1);
    measured.push({ question, p50Ms: percentile(warm, 0.5), p95Ms: percentile(warm, 0.95) });
  }
  return measured;
}

/** From the question to the text of the answer, in milliseconds. */
async function askOnce(database: Database, { organizationId, endMs }: GeneratedUsage, question: Question): Promise<number> {
  // A store of its own each time: it would know the answer.
  const store = createUsageStore({ pool: database.pool, now: Date.now });
  const askedAt = performance.now();
  const answer = await store.readUsage(askOf(question, organizationId, endMs));
  const text = JSON.stringify(answer);
  if (text.length < 1_000) throw new Error(`${question.name}: nothing was answered`);
  return performance.now() - askedAt;
}

function startIngest(job: IngestJob): { readonly answer: Promise<IngestReply>; reportStop(): void } {
  const child = fork(join(__dirname, 'ingest.js'));
  const answer = nextMessage<IngestReply>(child, 'ingest').finally(() => stopChild(child));
  // Awaited once everything is asked; a process that fails before is reported then.
  answer.catch(() => undefined);
  child.send(job);
  return { answer, reportStop: () => void (child.connected && child.send('stop')) };
}
