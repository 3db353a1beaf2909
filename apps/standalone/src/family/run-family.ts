import type { DirectoryLock } from '@weir/directory-lock';
import { createHealth, startMetricsServer, stopOnSignals, type SharedPort } from '@weir/http-server';
import type { CounterOwner, OwnerAnswer } from '@weir/limits';
import { serveStores, type Link } from '@weir/process-links';
import { createMetricsRegistry, METRICS_CONTENT_TYPES, writeMetrics, type Logger, type MetricsFormat } from '@weir/telemetry';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createMemoryStores } from '../create-memory-stores';
import type { StandaloneEnv } from '../env';
import { openCounterOwner } from '../open-counters';
import { openSecrets } from '../open-secrets';
import { describeLocalAddress } from '../own-address';
import { describeStart } from '../print-banner';
import type { Brief, BooksBrief, BooksReady, GatewayBrief, GatewayReady } from './brief';
import { createConnectionGiver } from './give-connections';
import { KeptProcess } from './kept-process';
import { mergeMetrics } from './merge-metrics';

type FamilyOptions = {
  readonly env: StandaloneEnv;
  readonly log: Logger;
  readonly gateways: number;
  readonly shared: SharedPort;
  readonly lock: DirectoryLock;
  readonly exit: (code: number) => void;
};

/** Returns how to begin the stop for a reason that is no signal. */
type AskToStop = ReturnType<typeof stopOnSignals>;

/**
 * Starts the processes of a gateway and keeps them: each that ends is replaced. They load side by side; gateways go on when the
 * books have recovered. Resolves when all are ready.
 */
export async function runFamily(options: FamilyOptions): Promise<AskToStop> {
  const family = new Family(options);
  return family.start();
}

/** Gateways refuse what they may no longer take by themselves; that of limited requests is certain without it. */
const REPORT_COUNTERS_MS = 500;

class Family {
  private readonly innerSecret = randomBytes(32).toString('base64url');
  private readonly links = new Set<Link>();
  private readonly books: KeptProcess<BooksReady>;
  private readonly gateways: KeptProcess<GatewayReady>[];
  /** Of the counters that are in this process. */
  private readonly owner: CounterOwner;
  private countersReport: NodeJS.Timeout | undefined;
  private readonly giver: ReturnType<typeof createConnectionGiver>;
  private readonly registry = createMetricsRegistry();
  private readonly checkBooks = (): string | null =>
    this.books.ready === undefined ? 'the process that keeps the books is being replaced' : null;
  private readonly health = createHealth({
    checks: [() => (this.gateways.some(({ ready }) => ready !== undefined) ? null : 'no gateway is ready'), () => this.describeCounters()],
    starts: [this.checkBooks],
    dependencies: { books: this.checkBooks },
  });
  /** What the latest books that were ready said; undefined until the first have recovered. */
  private databaseUrl: string | undefined;
  private stopping: Promise<void> | undefined;

  constructor(private readonly options: FamilyOptions) {
    const { env, log, lock } = options;
    const lockFd = lock.fd;
    const ask =
      <Result>(name: string) =>
      (...args: readonly unknown[]): Promise<Result> =>
        this.askAny(name, ...args);
    const store = { take: ask<OwnerAnswer>('owner.take'), renew: ask<boolean>('owner.renew'), release: ask<void>('owner.release') };
    this.owner = openCounterOwner(env, { store, log, lock });
    const stores = createMemoryStores(env, { countSlots: ask<number>('countSlots'), check: () => this.owner.check() });
    const onLink = (link: Link): void => {
      this.links.add(link);
      link.onLost(() => this.links.delete(link));
      serveStores(link, stores);
      link.serve({ 'counters.take': () => this.owner.take(), 'counters.release': () => this.owner.release() });
    };
    this.books = new KeptProcess({
      ...{ name: 'books', script: join(__dirname, 'books-main.js'), log, lockFd, onLink },
      brief: (isFirst): BooksBrief => ({
        ...this.describe('books', isFirst),
        postgresPort: this.postgresPort,
        port: options.shared.port,
      }),
      onReady: (ready) => this.noteBooks(ready),
      onGone: () => this.reportBooks(),
    });
    this.gateways = Array.from({ length: options.gateways }, (_, index) => {
      const name = `gateway-${index + 1}`;
      return new KeptProcess<GatewayReady>({
        ...{ name, script: join(__dirname, 'gateway-main.js'), log, lockFd, onLink },
        brief: (isFirst): GatewayBrief => ({
          ...this.describe(name, isFirst && index === 0),
          port: options.shared.port,
          databaseUrl: this.databaseUrl,
        }),
        onReady: () => {
          this.reportBooks();
          this.reportCounters();
          this.giver.look();
        },
        onGone: (gone) => this.giver.giveAgain(gone),
      });
    });
    this.giver = createConnectionGiver(this.gateways);
  }

  async start(): Promise<AskToStop> {
    const { env, shared, log, exit } = this.options;
    openSecrets(env.DATA_DIR, env); // made by one, read by all
    try {
      await Promise.all([this.books, ...this.gateways].map((one) => one.start()));
      const metrics = await startMetricsServer({
        ...{ port: { asked: env.METRICS_PORT, usual: 9460 }, host: env.HOST, health: this.health, log },
        writeMetrics: (format) => this.gatherMetrics(format),
      });
      shared.giveTo((socket) => this.giver.give(socket));
      const askToStop = stopOnSignals(
        {
          runningRequests: () => this.gateways.reduce((sum, { runningRequests }) => sum + runningRequests, 0),
          stop: (drainTimeoutMs) => this.stop(drainTimeoutMs, metrics.close),
        },
        { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit },
      );
      void this.owner.lost.then((reason) => {
        this.reportCounters();
        askToStop(reason);
      });
      this.countersReport = setInterval(() => this.reportCounters(), REPORT_COUNTERS_MS).unref();
      this.printStart(metrics.port);
      return askToStop;
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  private describe(name: string, isFirst: boolean): Brief {
    return { name, isFirst, gateways: this.options.gateways, innerSecret: this.innerSecret };
  }

  /** A Postgres that has to be started again is looked for where it was. */
  private get postgresPort(): number | undefined {
    if (this.options.env.DATABASE_URL !== undefined || this.databaseUrl === undefined) return undefined;
    return Number(new URL(this.databaseUrl).port);
  }

  private noteBooks({ databaseUrl }: BooksReady): void {
    const before = this.databaseUrl;
    this.databaseUrl = databaseUrl;
    if (before === undefined) for (const { link } of this.gateways) link?.notify('database', databaseUrl);
    else if (before !== databaseUrl) for (const gateway of this.gateways) gateway.replace(this.options.env.DRAIN_TIMEOUT_MS);
    this.reportBooks();
  }

  private reportBooks(): void {
    for (const { link } of this.gateways) link?.notify('books', this.books.ready?.port);
  }

  /** What is wrong with counters that are in this process; where Redis counts, nothing is. */
  private describeCounters(): string | null {
    return this.options.env.REDIS_URL === undefined ? this.owner.describe() : null;
  }

  private reportCounters(): void {
    for (const { link } of this.gateways) link?.notify('counters', this.describeCounters());
  }

  /** A question to Postgres, which this process does not talk to. */
  private async askAny<Result>(name: string, ...args: readonly unknown[]): Promise<Result> {
    let failure: unknown = new Error('no process is there to ask');
    for (const link of [...this.links]) {
      try {
        return await link.call<Result>(name, ...args);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private async gatherMetrics(format: MetricsFormat): Promise<string> {
    const all = [this.books, ...this.gateways] as const;
    const read = async ({ ready, name }: (typeof all)[number]): Promise<{ process: string; text: string }[]> => {
      if (ready === undefined) return [];
      const headers = { accept: METRICS_CONTENT_TYPES[format] };
      const text = await fetch(`http://127.0.0.1:${ready.metricsPort}/metrics`, { headers }).then(
        (reply) => reply.text(),
        () => '',
      );
      return [{ process: name, text }];
    };
    const own = { process: 'supervisor', text: await writeMetrics(this.registry, format) };
    return mergeMetrics([own, ...(await Promise.all(all.map(read))).flat()], format);
  }

  private stop(drainTimeoutMs: number, closeMetrics: () => Promise<void>): Promise<void> {
    if (this.stopping !== undefined && drainTimeoutMs === 0) void this.endAll(0);
    return (this.stopping ??= this.stopOnce(drainTimeoutMs).then(closeMetrics));
  }

  private async stopOnce(drainTimeoutMs: number): Promise<void> {
    const { shared, env } = this.options;
    this.health.startDraining();
    // Gateways serve on for that long, saying that they are not ready.
    const refusing = setTimeout(() => shared.close(), drainTimeoutMs > 0 ? env.DRAIN_DELAY_MS : 0);
    await this.endAll(drainTimeoutMs);
    clearTimeout(refusing);
    clearInterval(this.countersReport);
    shared.close();
    this.giver.close();
  }

  /** The books last: what the gateways did is in them then. */
  private async endAll(drainTimeoutMs: number): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop(drainTimeoutMs)));
    await this.books.stop(drainTimeoutMs);
  }

  /** After a start that failed. No gateway has been given a connection: none has anything to finish. */
  private async abandon(): Promise<void> {
    for (const gateway of this.gateways) void gateway.stop(0);
    await this.endAll(0);
  }

  private printStart(metricsPort: number): void {
    const { env, shared } = this.options;
    const providers = this.gateways[0]?.ready?.providers ?? [];
    const started = {
      address: describeLocalAddress(env.HOST, shared.port),
      metrics: describeLocalAddress(env.HOST, metricsPort),
      providers,
      consoleLink: this.books.ready?.consoleLink,
    };
    process.stdout.write(describeStart(started, this.books.ready?.key ?? null));
  }
}
