import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, type Database } from '@weir/database';
import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { getPostgres, makeTestFolder, waitUntil } from '@weir/testing';
import { checkInvariants, type Verdict } from '../check/check-invariants';
import type { ClientRequest } from '../load/client-request';
import type { ClientResult } from '../load/send-request';
import { startLoad, type Load } from '../load/start-load';
import { startSimProvider, type SimProvider } from '../provider/start-sim-provider';
import { readMetrics } from '../rig/read-metrics';
import { describeProviders } from '../rig/start-rig';

export type FamilyMember = 'books' | 'gateway';

/** One gateway of several processes, each of which can be killed, and what is known of its truth. */
export type FamilyRig = {
  readonly harness: () => Harness;
  readonly pool: Database['pool'];
  load(perSecond: number, plan: (seed: number) => ClientRequest, apiKey?: string): Load;
  /** With SIGKILL; resolves when another one serves in its place, to when the killed one was gone. */
  kill(member: FamilyMember): Promise<number>;
  /** Kills the process that keeps all others; resolves when it was started again and all are ready. */
  killAll(): Promise<void>;
  manage<Reply>(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Comes to rest and checks everything that ever happened. */
  verify(): Promise<Verdict>;
  stop(): Promise<void>;
};

const SEEDS = 1_000_000;
const PATIENCE_MS = 120_000;
const GATEWAYS = 2;
const PROCESSES = ['books', ...Array.from({ length: GATEWAYS }, (_, index) => `gateway-${index + 1}`)];
const REST = ['weir_journal_unaggregated_events', 'weir_journal_open_attempts'];
const SETTINGS = {
  PROCESSES: String(GATEWAYS),
  JOURNAL_SEGMENT_BYTES: '32768',
  JOURNAL_RESEND_AFTER_MS: '3000',
  UPSTREAM_IDLE_TIMEOUT_MS: '10000',
  // Holds of the killed expire while a test can wait for it.
  HOLD_TTL_MS: '4000',
  // What was reported again after its confirmation is taken out of the counters so soon.
  HOLD_CHECK_MS: '3000',
};

export async function startFamilyRig(): Promise<FamilyRig> {
  const postgres = await getPostgres();
  const databaseUrl = await postgres.createDatabase();
  const provider = await startSimProvider(join(makeTestFolder('family'), 'oracle.jsonl'));
  const env = { ...SETTINGS, ...describeProviders(provider.port), DATABASE_URL: databaseUrl };
  const harness = await startStandalone({ env });
  const database = createDatabase({ url: databaseUrl, poolMax: 4 });
  const rig = new Rig(harness, { env, provider, pool: database.pool });
  return {
    harness: () => rig.harness,
    pool: database.pool,
    load: (...asked) => rig.load(...asked),
    kill: (member) => rig.kill(member),
    killAll: () => rig.killAll(),
    manage: (...asked) => rig.manage(...asked),
    verify: () => rig.verify(),
    stop: async () => {
      await rig.stop();
      await database.close();
      await provider.stop();
      await postgres.stop();
    },
  };
}

type Parts = { readonly env: Record<string, string>; readonly provider: SimProvider; readonly pool: Database['pool'] };

class Rig {
  private readonly results: ClientResult[] = [];
  private readonly loads: Load[] = [];
  private seed = 1;

  constructor(
    public harness: Harness,
    private readonly parts: Parts,
  ) {}

  load(perSecond: number, plan: (seed: number) => ClientRequest, apiKey = this.harness.apiKey): Load {
    const load = startLoad({ url: this.harness.url, apiKey }, { perSecond, firstSeed: this.seed, plan });
    this.seed += SEEDS;
    this.loads.push(load);
    return load;
  }

  async kill(member: FamilyMember): Promise<number> {
    const before = this.find(member);
    process.kill(before[0] ?? 0, 'SIGKILL');
    await waitUntil(`the ${member} is gone`, () => !this.find(member).includes(before[0] ?? 0), PATIENCE_MS);
    const goneAt = Date.now();
    await waitUntil(`another ${member} serves`, () => this.isWhole(before), PATIENCE_MS);
    return goneAt;
  }

  async killAll(): Promise<void> {
    const { dataDir, url } = this.harness;
    await this.harness.process.kill();
    this.harness = await startStandalone({ dataDir, env: { ...this.parts.env, PORT: new URL(url).port } });
  }

  async manage<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const { url, apiKey } = this.harness;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} returned ${reply.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Reply;
  }

  async verify(): Promise<Verdict> {
    const { provider, pool } = this.parts;
    for (const load of this.loads.splice(0)) this.results.push(...(await load.stop()));
    await waitUntil('the provider has seen every caller end', () => provider.running() === 0, PATIENCE_MS);
    await waitUntil('every journal is wholly aggregated', () => this.isAtRest(), PATIENCE_MS);
    return checkInvariants({ pool, results: this.results, oracle: provider.oracle });
  }

  async stop(): Promise<void> {
    for (const load of this.loads.splice(0)) await load.stop();
    const { child, terminate } = this.harness.process;
    if (child.exitCode === null && child.signalCode === null) await terminate();
  }

  /** The processes of a kind, by their ids. */
  private find(member: FamilyMember): number[] {
    const { pid } = this.harness.process.child;
    const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' }).split('\n');
    return listed.flatMap((line) => (line.includes(`${member}-main`) ? [Number.parseInt(line, 10)] : []));
  }

  /** All are there, the killed one is not among them, and all say that they are ready. */
  private async isWhole(before: readonly number[]): Promise<boolean> {
    const isReplaced = !this.find('books')
      .concat(this.find('gateway'))
      .includes(before[0] ?? 0);
    const metrics = await readMetrics(this.harness.metricsUrl).catch(() => new Map<string, number>());
    return isReplaced && PROCESSES.every((name) => metrics.has(`weir_journal_orphans{process="${name}"}`));
  }

  /**
   * A process that does not report, because it starts or is busy, may have anything. Nor does anyone report what a process
   * left that died a moment ago: its folder is there until all of it is aggregated.
   */
  private async isAtRest(): Promise<boolean> {
    if (this.countJournals() !== GATEWAYS) return false;
    const metrics = await readMetrics(this.harness.metricsUrl).catch(() => new Map<string, number>());
    return REST.every((metric) => PROCESSES.every((name) => metrics.get(`${metric}{process="${name}"}`) === 0));
  }

  /** Folders of writers; names of those that are being made or removed have an ending. */
  private countJournals(): number {
    return readdirSync(join(this.harness.dataDir, 'journal')).filter((name) => !name.includes('.')).length;
  }
}
