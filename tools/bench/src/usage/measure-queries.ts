import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createDatabase, createUsageStore, type Database } from '@weir/database';
import { nextMessage, stopChild } from '../measure/start-child';
import { percentile } from '../revocations/percentile';
import { generateUsage, type GeneratedUsage } from './generate-usage';
import type { IngestAnswer, IngestJob } from './ingest';
import { askOf, QUESTIONS, type Question } from './questions';
import { startDatabase } from './start-database';

export type QueryOptions = {
  readonly series: number;
  readonly days: number;
  readonly repeat: number;
  /** Events counted beside the second half of the questions. */
  readonly ingestPerSecond: number;
  /** Leaves out what nothing is promised of. */
  readonly isPromisedOnly: boolean;
  /** A database to generate into, or that was generated into before; one of this measurement alone unless given. */
  readonly url?: string;
};

export type Measured = { readonly question: Question; readonly p50Ms: number; readonly p95Ms: number };
export type QueryResult = {
  readonly alone: readonly Measured[];
  readonly beside: readonly Measured[];
  readonly ingestedPerSecond: number;
  readonly isHeld: boolean;
};

const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB' };
/** Of the asked rate, so that the questions had it beside them. */
const INGEST_SHARE_MIN = 0.97;
/** What takes seconds and is promised nothing is not asked as often. */
const UNPROMISED_REPEAT_MAX = 5;

/** Asks what acceptance asks: first alone, then while events are counted. The first answer of each may be cold and does not count. */
export async function measureQueries(options: QueryOptions, tell: (line: string) => void): Promise<QueryResult> {
  const opened = await openDatabase(options.url);
  try {
    const usage = await generateUsage(opened.database, options);
    tell(`${usage.hours} hourly and ${usage.days} daily rows, ${usage.cubes} rows of cubes`);
    const alone = await askAll(opened.database, usage, options);
    const ingest = startIngest({ url: opened.url, perSecond: options.ingestPerSecond });
    const beside = await askAll(opened.database, usage, options).finally(() => ingest.tellStop());
    const { events, seconds } = await ingest.answer;
    const ingestedPerSecond = events / seconds;
    const isHeld =
      [...alone, ...beside].every(({ question, p95Ms }) => question.p95MaxMs === null || p95Ms <= question.p95MaxMs) &&
      ingestedPerSecond >= options.ingestPerSecond * INGEST_SHARE_MIN;
    return { alone, beside, ingestedPerSecond, isHeld };
  } finally {
    await opened.close();
  }
}

type Opened = { readonly database: Database; readonly url: string; close(): Promise<void> };

async function openDatabase(url: string | undefined): Promise<Opened> {
  if (url === undefined) {
    const started = await startDatabase(SETTINGS);
    return { ...started, close: () => started.stop() };
  }
  const database = createDatabase({ url });
  return { database, url, close: () => database.close() };
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

function startIngest(job: IngestJob): { readonly answer: Promise<IngestAnswer>; tellStop(): void } {
  const child = fork(join(__dirname, 'ingest.js'));
  const answer = nextMessage<IngestAnswer>(child, 'ingest').finally(() => stopChild(child));
  // Awaited once all is asked; a process that fails before is told then.
  answer.catch(() => undefined);
  child.send(job);
  return { answer, tellStop: () => void (child.connected && child.send('stop')) };
}
