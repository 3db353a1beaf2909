import { createServer, type AddressInfo } from 'node:net';
import { startCuttingProxy } from '@weir/testing';
import { startTestServer, type TestServer } from '../__fixtures__/test-server';
import { createDatabase } from './create-database';
import { migrateDatabase } from './migrate-database';
import { waitForDatabase, waitForPostgres } from './wait-for-database';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** What was logged, and when the next line is. */
function openLog() {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const take = (_: object, line: string): void => {
    lines.push(line);
    for (const go of waiting.splice(0)) go();
  };
  return { lines, next: () => new Promise<void>((resolve) => void waiting.push(resolve)), log: { info: take, warn: take, error: take } };
}

const tryEveryMs = 20;

/** A port on which nothing listens. */
async function findClosedPort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

describe('a start on a database that is not there yet', () => {
  test('waits for a server, and says where it looks for it and never who asks', async () => {
    const { port } = new URL(await server.createEmpty('late'));
    const proxy = await startCuttingProxy(Number(port));
    const url = (await server.createEmpty('later')).replace(`:${port}/`, `:${proxy.port}/`);
    proxy.setMode({ kind: 'refuse' });
    const { lines, next, log } = openLog();
    const logged = next();
    const waiting = waitForPostgres(url, { log, tryEveryMs });
    await logged;
    proxy.setMode({ kind: 'pass' });
    await waiting;
    await proxy.stop();

    const place = `Postgres at 127.0.0.1:${proxy.port}/`;
    expect(lines[0]).toMatch(new RegExp(`^waiting for ${place}.* cannot be reached`));
    expect(lines.at(-1)).toMatch(new RegExp(`^${place}.* is there`));
    expect(lines.join()).not.toContain('@');
  });

  test('waits for the schema that another process brings', async () => {
    const url = await server.createEmpty('unmigrated');
    const database = createDatabase({ url });
    const { lines, next, log } = openLog();
    const logged = next();
    const waiting = waitForDatabase(database.pool, { log, tryEveryMs });
    await logged;
    expect(lines[0]).toMatch(/its schema lacks \d+ migrations of this version, up to \d+_\w+: the management-api/);
    await migrateDatabase({ url });
    await waiting;
    expect((await database.pool.query('SELECT count(*)::int AS versions FROM catalog_version')).rows).toEqual([{ versions: 0 }]);
    await database.close();
  });

  test('waits for a database of a server that has none of its name', async () => {
    const url = await server.createEmpty('there');
    const database = createDatabase({ url: url.replace(/\/[^/]*$/, '/not_yet_there') });
    const { lines, next, log } = openLog();
    const logged = next();
    const waiting = waitForDatabase(database.pool, { log, tryEveryMs }).catch((error: unknown) => error);
    await logged;
    expect(lines[0]).toMatch(/not_yet_there: there is no such database yet/);
    await database.close();
    expect(await waiting).toBeInstanceOf(Error);
  });

  test('names the port on which nothing listens', async () => {
    const port = await findClosedPort();
    const { lines, next, log } = openLog();
    const logged = next();
    const database = createDatabase({ url: `postgres://weir:secret@localhost:${port}/weir` });
    const waiting = waitForDatabase(database.pool, { log, tryEveryMs }).catch((error: unknown) => error);
    await logged;
    expect(lines[0]).toBe(`waiting for Postgres at localhost:${port}/weir: it cannot be reached (ECONNREFUSED)`);
    await database.close();
    expect(await waiting).toBeInstanceOf(Error);
  });
});
