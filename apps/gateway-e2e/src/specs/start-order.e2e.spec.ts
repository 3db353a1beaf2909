import { createDatabase } from '@weir/database';
import { describeWithRealParts, getPostgres, getRedis, makeTestFolder } from '@weir/testing';
import { findFreePort } from '../harness/find-free-port';
import { runProcess, type RunningProcess } from '../harness/run-process';

jest.setTimeout(120_000);

const SECRETS = {
  KEY_PEPPER: 'e2e-pepper-0123456789-0123456789-0123456789',
  PASSPORT_SECRET: 'e2e-passport-secret-0123456789-0123456789',
  SEALING_KEY: 'e2e-sealing-key-0123456789-0123456789',
};

describeWithRealParts(['postgres', 'redis'], 'services that are started in the wrong order', () => {
  const started: RunningProcess[] = [];
  const run = (service: string, env: Record<string, string>): RunningProcess => {
    const process = runProcess(`apps/${service}/dist/main.js`, { ...SECRETS, METRICS_PORT: '0', PORT: '0', ...env });
    started.push(process);
    return process;
  };
  afterEach(() => Promise.all(started.splice(0).map((process) => process.kill())));

  it('wait for the schema, and for one another', async () => {
    const [postgres, redis] = await Promise.all([getPostgres(), getRedis()]);
    if (redis === undefined) throw new Error('a real part is missing');
    const server = createDatabase({ url: postgres.url });
    const name = `start_order_${process.pid}`;
    await server.pool.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    const shared = { DATABASE_URL: url.toString(), REDIS_URL: redis.url };
    const port = await findFreePort();
    const edge = run('edge-router', {
      ...shared,
      CHAT_TRANSLATOR_URL: `http://127.0.0.1:${port}`,
      MEDIA_SERVICE_URL: `http://127.0.0.1:${port}`,
      OPENAI_APIKEY: 'misspelt',
    });
    const aggregator = run('usage-aggregator', { ...shared, KAFKA_BROKERS: '127.0.0.1:1' });
    const lacks = new RegExp(`waiting for Postgres at [^"@]*/${name}: its schema lacks`);
    await Promise.all([edge.waitFor(lacks), aggregator.waitFor(lacks)]);

    const management = run('management-api', shared);
    await Promise.all([management.waitFor(/management-api listens/), edge.waitFor(/edge-router listens/)]);
    await aggregator.waitFor(/waiting for Kafka at 127\.0\.0\.1:1:/);
    expect(edge.output()).toMatch(/the setting OPENAI_APIKEY is not known and has no effect; did you mean OPENAI_API_KEY\?/);

    await Promise.all(started.splice(0).map((one) => one.kill()));
    await server.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.close();
    await postgres.stop();
    await redis.stop();
  });

  it('say where they look for Postgres, Redis and Kafka that are not there', async () => {
    const nowhere = {
      DATABASE_URL: 'postgres://weir:secret@127.0.0.1:1/weir',
      REDIS_URL: 'redis://127.0.0.1:1',
      KAFKA_BROKERS: '127.0.0.1:1',
    };
    const management = run('management-api', nowhere);
    const chat = run('chat-translator', { ...nowhere, JOURNAL_DIR: makeTestFolder('start-order-journal') });
    await management.waitFor(/waiting for Postgres at 127\.0\.0\.1:1\/weir: it cannot be reached \(ECONNREFUSED\)/);
    await chat.waitFor(/waiting for Redis at 127\.0\.0\.1:1: it cannot be reached/);
    await chat.waitFor(/chat-translator listens/);

    expect([management.child.exitCode, chat.child.exitCode]).toEqual([null, null]);
    expect(management.output()).not.toContain('secret@');
  });
});
