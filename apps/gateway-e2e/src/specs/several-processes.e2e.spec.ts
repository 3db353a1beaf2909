import { getPostgres, waitUntil } from '@weir/testing';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitForRequests } from '../harness/read-usage';
import { ROOT } from '../harness/run-process';
import { startStandalone, type Harness } from '../harness/start-standalone';

/** Two gateways, whatever machine this is. */
const SHAPE = { PROCESSES: '2', npm_lifecycle_event: 'start' };

function ask({ url, apiKey }: Harness, body: object): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/chat', ...body }),
  });
}

async function chat(harness: Harness): Promise<number> {
  return (await ask(harness, { messages: [{ role: 'user', content: 'Hello' }] })).status;
}

/** The supervisor and all that it has started, Postgres too. */
function listProcesses(dataDir: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const rows = lines.map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line)?.slice(1) ?? []);
  const { pid: holder } = JSON.parse(readFileSync(join(dataDir, 'gateway.lock'), 'utf8')) as { pid: number };
  const found = new Set([holder]);
  for (let known = 0; known < found.size;) {
    known = found.size;
    for (const [pid, parent] of rows) if (found.has(Number(parent))) found.add(Number(pid));
  }
  return [...found];
}

function listAlive(pids: readonly number[]): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat='], { encoding: 'utf8' }).split('\n');
  const alive = new Set(lines.flatMap((line) => (/Z/.test(line) ? [] : [Number.parseInt(line, 10)])));
  return pids.filter((pid) => alive.has(pid));
}

async function operate({ dataDir }: Harness, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir };
  return (await promisify(execFile)(process.execPath, [join(ROOT, 'apps/operator/bin/weir.cjs'), ...args], { env })).stdout;
}

describe('a gateway of several processes', () => {
  it('serves and counts, ends with all that it started by Ctrl-C in a terminal, and goes on where it was', async () => {
    const first = await startStandalone({ isInShell: true, env: SHAPE });
    expect(await Promise.all([chat(first), chat(first), chat(first)])).toEqual([200, 200, 200]);
    const spent = (await waitForRequests(first, 3)).spend;
    const started = listProcesses(first.dataDir);
    expect(started.length).toBeGreaterThanOrEqual(5);

    process.kill(-(first.process.child.pid ?? 0), 'SIGINT');
    await first.process.waitFor(/"msg":"stopped"/);
    await first.process.ended;
    await waitUntil('all processes have ended', () => listAlive(started).length === 0);

    const second = await startStandalone({ dataDir: first.dataDir, env: SHAPE });
    const day = await waitForRequests(second, 3);
    expect([day.total_requests, day.spend]).toEqual([3, spent]);
    expect(await chat(second)).toBe(200);
    expect((await waitForRequests(second, 4)).total_requests).toBe(4);
    expect(await second.process.terminate()).toBe(0);
  });

  it('is ready only when all are, speaks for all on one port of metrics, and lets the operator in beside it', async () => {
    const harness = await startStandalone({ env: SHAPE });
    const pages = await Promise.all(
      [`${harness.url}/readyz`, `${harness.metricsUrl}/readyz`].map(async (url) => (await fetch(url)).status),
    );
    expect(pages).toEqual([200, 200]);
    const metrics = await (await fetch(`${harness.metricsUrl}/metrics`)).text();
    const names = new Set([...metrics.matchAll(/\bprocess="([^"]+)"/g)].map(([, name]) => name));
    expect([...names].sort()).toEqual(['books', 'gateway-1', 'gateway-2', 'supervisor']);

    expect(await operate(harness, 'usage', 'writers')).toContain('writer');
    const [recovered = ''] = /weir_live_\w+/.exec(await operate(harness, 'key', 'recover')) ?? [];
    expect(await chat({ ...harness, apiKey: recovered })).toBe(200);
    expect(await harness.process.terminate()).toBe(0);
  });

  it.each([
    ['several processes', 'one', { PROCESSES: '1' }, SHAPE],
    ['one process', 'several', SHAPE, { PROCESSES: '1' }],
  ])('recovers as %s what %s left that was killed in mid-stream', async (_now, _before, left, found) => {
    const first = await startStandalone({ env: left });
    const stream = await ask(first, { stream: true, messages: [{ role: 'user', content: '!tokens 2000 !gap 20' }] });
    const reader = stream.body?.getReader();
    // For longer than progress waits to be journalled.
    for (let bytes = 0; bytes < 50_000;) bytes += (await reader?.read())?.value?.length ?? 0;
    await first.process.kill();

    const second = await startStandalone({ dataDir: first.dataDir, env: found });
    const day = await waitForRequests(second, 1);
    expect(await chat(second)).toBe(200);
    const later = await waitForRequests(second, 2);
    expect([day.total_requests, later.total_requests]).toEqual([1, 2]);
    expect(day.output_tokens).toBeGreaterThan(0);
    expect(day.output_tokens).toBeLessThan(2000);
    expect(Number(later.spend)).toBeGreaterThan(Number(day.spend));
    expect(await second.process.terminate()).toBe(0);
  });

  it('says what it could not start for, and leaves nothing running', async () => {
    const postgres = await getPostgres();
    const url = new URL(await postgres.createDatabase());
    url.username = 'stranger';
    const refused = startStandalone({ env: { ...SHAPE, DATABASE_URL: url.href } });
    const message = await refused.catch((error: unknown) => (error as Error).message);
    await postgres.stop();
    expect(message).toMatch(/ended with 1:\n/);
    expect(String(message).match(/could not start/g)).toHaveLength(1);
    expect(message).toMatch(/weir could not start: Postgres at 127\.0\.0\.1:\d+\/\w+ refuses the user of DATABASE_URL: /);
  });
});
