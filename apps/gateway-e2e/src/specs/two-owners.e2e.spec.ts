import { getPostgres, makeTestFolder, startFakeUpstream, type FakeUpstream, type RealPostgres } from '@weir/testing';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pointAt } from '../harness/client-harness';
import { waitForRequests } from '../harness/read-usage';
import { runProcess } from '../harness/run-process';
import { startStandalone, type Harness } from '../harness/start-standalone';

const LIMIT = 0.002;
const SECRETS = { KEY_PEPPER: 'one pepper for every gateway of the database' };
/** Each is held at the most it can come to, and comes to 0.00021 USD. */
const BODY = { model: 'openai/gpt-4o-mini', max_tokens: 350, messages: [{ role: 'user', content: 'Hello there' }] };
const REPLY = {
  body: {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_763_596_800, model: 'gpt-4o-mini' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'length' }],
    usage: { prompt_tokens: 10, completion_tokens: 350, total_tokens: 360 },
  },
};

/** The process that was started, and those that it has started. */
function listFamily({ process: { child } }: Harness): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid = 0, parent]) => (pid === child.pid || parent === child.pid ? [pid] : []));
}

describe.each([
  ['one process', '1'],
  ['several processes', '2'],
])('two gateways of %s on one database without Redis', (_, processes) => {
  let postgres: RealPostgres;
  let upstream: FakeUpstream;
  let databaseUrl: string;
  const running: Harness[] = [];

  beforeAll(async () => {
    [postgres, upstream] = await Promise.all([getPostgres(), startFakeUpstream()]);
    upstream.reply(() => REPLY, { when: () => true });
  });
  beforeEach(async () => {
    databaseUrl = await postgres.createDatabase();
  });
  afterEach(async () => {
    for (const { process } of running.splice(0)) {
      if (process.child.exitCode === null && process.child.signalCode === null) await process.kill();
    }
  });
  afterAll(async () => {
    await upstream.stop();
    await postgres.stop();
  });

  const settingsOf = () => ({
    ...{ PROCESSES: processes, DATABASE_URL: databaseUrl, COUNTERS_OWNER_WAIT_MS: '500', DRAIN_TIMEOUT_MS: '3000' },
    ...{ ...SECRETS, ...pointAt(upstream) },
  });

  async function start(env: Record<string, string> = {}, dataDir = makeTestFolder('owners')): Promise<Harness> {
    const harness = await startStandalone({ dataDir, env: { ...settingsOf(), ...env } });
    running.push(harness);
    return harness;
  }

  /** Of a start that is refused, why. */
  const refuse = (env?: Record<string, string>, dataDir?: string): Promise<string> =>
    start(env, dataDir).then(
      () => 'it started',
      (error: unknown) => (error as Error).message,
    );

  async function makeKey({ url, apiKey }: Harness): Promise<string> {
    const reply = await fetch(`${url}/v1/manage/apikey`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'limited', monthly_limit: LIMIT, permissions: { completions: 'write', manage: 'none' } }),
    });
    return ((await reply.json()) as { api_key: string }).api_key;
  }

  async function ask(url: string, key: string): Promise<{ status: number; cost: number; retryAfter: string | null; text: string }> {
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(BODY),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      cost: Number(reply.headers.get('x-weir-cost') ?? 0),
      retryAfter: reply.headers.get('retry-after'),
      text,
    };
  }

  /** Everything that the key is good for at these gateways, asked for in turn. */
  async function spendAll(urls: readonly string[], key: string): Promise<number> {
    let spent = 0;
    for (let round = 0; round < 12; round += 1) for (const url of urls) spent += (await ask(url, key)).cost;
    return spent;
  }

  it('is one: the second says why it does not start and what to set, and the limit holds', async () => {
    const first = await start();
    const key = await makeKey(first);
    expect(await refuse()).toMatch(
      /another gateway \(process \d+ on host .*\) counts the limits of this database in its memory.*Set the same REDIS_URL/,
    );
    const spent = await spendAll([first.url], key);
    expect(spent).toBeGreaterThan(LIMIT / 2);
    expect(spent).toBeLessThanOrEqual(LIMIT);
    expect(await first.process.terminate()).toBe(0);
    // It has ended in order: nothing is waited for, and what it has spent is known.
    const next = await start({ COUNTERS_OWNER_WAIT_MS: '0' });
    expect(spent + (await spendAll([next.url], key))).toBeLessThanOrEqual(LIMIT);
  });

  it('is one after the lock of the data directory was deleted under a living gateway', async () => {
    const first = await start();
    rmSync(join(first.dataDir, 'gateway.lock'));
    expect(await refuse({}, first.dataDir)).toMatch(/counts the limits of this database in its memory/);
    expect((await ask(first.url, first.apiKey)).status).toBe(200);
  });

  it('starts at once after one that was killed, on its directory or on another one of the same machine', async () => {
    const first = await start();
    await first.process.kill();
    const second = await start({ COUNTERS_OWNER_WAIT_MS: '0' }, first.dataDir);
    await second.process.kill();
    await start({ COUNTERS_OWNER_WAIT_MS: '0' });
  });

  it('waits in a restart that overlaps, and begins when the one before has ended', async () => {
    const first = await start();
    const settings = { ...settingsOf(), DATA_DIR: makeTestFolder('owners'), COUNTERS_OWNER_WAIT_MS: '60000', PORT: '0', METRICS_PORT: '0' };
    const second = runProcess('apps/standalone/dist/main.js', settings);
    try {
      await second.waitFor(/counts the limits of this database in its memory; waiting 60 s for it to end/);
      expect((await ask(first.url, first.apiKey)).status).toBe(200);
      expect(second.output()).not.toMatch(/ready at/);
      expect(await first.process.terminate()).toBe(0);
      await second.waitFor(/ready at/);
    } finally {
      await second.kill();
    }
  });

  it('admits nothing when it wakes up after another one took over, says why, and ends', async () => {
    const first = await start({ COUNTERS_OWNER_TTL_MS: '6000' });
    const key = await makeKey(first);
    const before = await ask(first.url, key);
    expect(before.status).toBe(200);
    await waitForRequests(first, 1);
    const family = listFamily(first);
    for (const pid of family) process.kill(pid, 'SIGSTOP');
    const second = await start({ COUNTERS_OWNER_WAIT_MS: '20000' });
    const after = await spendAll([second.url], key);
    // They are read the moment it wakes up.
    const asked = Promise.allSettled(Array.from({ length: 5 }, () => ask(first.url, key)));
    for (const pid of family) process.kill(pid, 'SIGCONT');
    // One that ends does not read the last of them any more.
    const replies = (await asked).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(replies).not.toEqual([]);
    for (const woken of replies) {
      expect(woken).toMatchObject({ status: 503, cost: 0 });
      expect(Number(woken.retryAfter)).toBeGreaterThan(0);
      // Refused for load where the machine took its time to wake all of it.
      expect(woken.text).toMatch(/another gateway (counts|may count) limits|Limits cannot be checked|has more to do/i);
    }
    expect(before.cost + after).toBeLessThanOrEqual(LIMIT);
    expect(await first.process.ended).toBe(0);
    expect(first.process.output()).toMatch(/another gateway has taken over the counters of limits of this database/);
    expect((await ask(second.url, second.apiKey)).status).toBe(200);
  });
});
