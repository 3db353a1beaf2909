import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { Client } from 'pg';
import { describeWithRealParts, endWithProcess, getPostgres, getRedis } from '.';

jest.setTimeout(60_000);

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function canConnect(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) }, () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

it('gives every asker an empty database of its own with the present schema', async () => {
  const postgres = await getPostgres();

  const [one, two] = await Promise.all([postgres.createDatabase(), postgres.createDatabase()]);
  await query(one, "insert into organization (name) values ('first')");

  expect(await query(one, 'select name from organization')).toEqual([{ name: 'first' }]);
  expect(await query(two, 'select name from organization')).toEqual([]);
  await postgres.stop();
  await expect(query(one, 'select 1')).rejects.toThrow(/does not exist/);
});

it('adds no second server when it is asked again', async () => {
  const [one, two] = await Promise.all([getPostgres(), getPostgres()]);

  expect(two.url).toBe(one.url);
});

describeWithRealParts(['redis'], 'getRedis', () => {
  it('gives a Redis that is gone once it was stopped', async () => {
    const redis = await getRedis();

    expect(await canConnect(redis?.url ?? '')).toBe(true);
    await redis?.stop();
    expect(await canConnect(redis?.url ?? '')).toBe(process.env['TEST_REDIS_URL'] !== undefined);
  });
});

it('ends a part when the process that uses it was killed', async () => {
  const part = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  const gone = once(part, 'exit');
  const release = endWithProcess(part.pid ?? -1);

  // The watcher sees the end of its input, exactly as when this process is gone.
  release.abandon();

  expect(await gone).toEqual([null, 'SIGTERM']);
});
