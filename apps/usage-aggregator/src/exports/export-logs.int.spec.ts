import { claimExport, createDatabase, noteUsageExported, readUsageExport, type Database } from '@weir/database';
import { createMetricsRegistry, type LogRecord, type LogSender } from '@weir/telemetry';
import { getPostgres, makeUsageEvent, waitUntil, type RealPostgres } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { createAuditExport, createUsageExport, startLogExports, type Stream } from './export-logs';

const PROGRESS = { taken: () => undefined, failed: () => undefined, complete: () => undefined };
const LOG = { warn: () => undefined };

describe('logs that leave the gateway', () => {
  let postgres: RealPostgres;
  let database: Database;
  let organizationId: string;
  let sent: LogRecord[];
  let isAway: boolean;
  let refused: number;
  beforeAll(async () => {
    postgres = await getPostgres();
  }, 120_000);
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    database = createDatabase({ url: await postgres.createDatabase() });
    organizationId = (await database.prisma.organization.create({ data: { name: 'Example' } })).id;
    sent = [];
    isAway = false;
    refused = 0;
  }, 60_000);
  afterEach(() => database.close());

  const send: LogSender = (records) => {
    if (isAway) {
      refused += 1;
      return Promise.resolve({ isTaken: false, reason: 'away' });
    }
    sent.push(...records);
    return Promise.resolve({ isTaken: true });
  };
  const streamOf = (stream: Stream['stream']): Stream => ({
    pool: database.pool,
    owner: randomUUID(),
    stream,
    send,
    progress: PROGRESS,
    log: LOG,
  });
  const ids = (): string[] => sent.map(({ id }) => id);

  const change = (
    action: string,
    { client = database.pool, of = organizationId }: { client?: Pick<Database['pool'], 'query'>; of?: string } = {},
  ) =>
    client.query(
      `INSERT INTO audit_log (organization_id, actor_kind, action, target_kind, after) VALUES ($1, 'operator', $2, 'group', '{"name": "sk-abcdefghijkl"}')
        RETURNING sequence::text AS sequence`,
      [of, action],
    );
  /** What runs in other databases of the same server holds a mark back as well. */
  const exportUntil = (exportSome: () => Promise<void>, count: number): Promise<void> =>
    waitUntil(`${count} records`, async () => {
      await exportSome();
      return sent.length >= count;
    });
  const actions = (): unknown[] => sent.map(({ members }) => members['action']);

  test('changes go out once, in order, from the first after the export began, without what looks like a secret', async () => {
    await change('before');
    const { exportSome } = createAuditExport(streamOf('audit'));
    await exportSome();
    for (const action of ['one', 'two']) await change(action);
    await exportUntil(exportSome, 2);
    expect(actions()).toEqual(['one', 'two']);
    expect(sent[0]).toMatchObject({ name: 'weir.audit', members: { organization_id: organizationId, after: { name: 'sk-***' } } });
  });

  test('a change whose transaction ends late is not passed over by those after it', async () => {
    const { exportSome } = createAuditExport(streamOf('audit'));
    await exportSome();
    const client = await database.pool.connect();
    await client.query('BEGIN');
    const other = await database.prisma.organization.create({ data: { name: 'Other' } });
    await change('slow', { client });
    await change('quick', { of: other.id });
    for (let run = 0; run < 3; run += 1) await exportSome();
    expect(actions()).not.toContain('quick');
    await client.query('COMMIT');
    client.release();
    await exportUntil(exportSome, 2);
    expect(actions()).toEqual(['slow', 'quick']);
  });

  test('what a receiver did not take is sent again, and another process goes on where one stopped', async () => {
    const first = createAuditExport(streamOf('audit'));
    await first.exportSome();
    await change('one');
    isAway = true;
    await waitUntil('a refusal', async () => {
      await first.exportSome();
      return refused > 0;
    });
    isAway = false;
    const second = createAuditExport(streamOf('audit'));
    for (let run = 0; run < 3; run += 1) await second.exportSome();
    expect(actions()).toEqual([]); // the first still has its lease
    await database.pool.query(`UPDATE export_cursor SET leased_until = now() - interval '1 second'`);
    await exportUntil(second.exportSome, 1);
    expect(actions()).toEqual(['one']);
  });

  async function count(writerId: string, sequences: readonly number[], seen: string): Promise<void> {
    for (const sequence of sequences) {
      const event = { ...makeUsageEvent(), event_id: `${writerId.slice(0, 4)}:${sequence}`, org_id: organizationId };
      await database.pool.query(
        `INSERT INTO usage_event (writer_id, seq, org_id, admitted_at, time_clamped, event_id, request_id, payload)
          VALUES ($1, $2, $3, now(), false, $4, 'r', $5)`,
        [writerId, sequence, organizationId, event.event_id, JSON.stringify(event)],
      );
    }
    await database.pool.query(
      `INSERT INTO usage_writer (writer_id, seen) VALUES ($1, $2) ON CONFLICT (writer_id) DO UPDATE SET seen = usage_writer.seen + EXCLUDED.seen`,
      [writerId, seen],
    );
  }

  test('events go out once each, late ones and replayed letters too', async () => {
    const [old, writer] = [randomUUID(), randomUUID()];
    await count(old, [0], '{[0,1)}');
    const { exportSome } = createUsageExport(streamOf('usage'));
    await exportSome();
    const name = writer.slice(0, 4);
    await count(writer, [0, 1, 4], '{[0,2),[4,6)}'); // 5 was set aside: it is no event yet
    await database.pool.query(`INSERT INTO usage_dead_letter (writer_id, seq, reason, payload) VALUES ($1, 5, 'too_late', '')`, [writer]);
    await exportSome();
    await exportSome();
    expect(ids()).toEqual([`${name}:0`, `${name}:1`, `${name}:4`]);
    await count(writer, [2, 3], '{[2,4)}');
    await exportSome();
    expect(ids().slice(3)).toEqual([`${name}:2`, `${name}:3`]);
    await count(writer, [5], '{[5,6)}');
    await database.pool.query('UPDATE usage_dead_letter SET replayed_at = now()');
    await exportSome();
    await exportSome();
    expect(ids().slice(5)).toEqual([`${name}:5`]);
  });

  test('a page that is full is no more than its rows', async () => {
    await claimExport(database.pool, { stream: 'usage', owner: randomUUID(), leaseMs: 1000 });
    const [one, other] = [randomUUID(), randomUUID()].sort() as [string, string];
    await count(one, [0, 1, 2], '{[0,3)}');
    await count(other, [0], '{[0,1)}');
    const pages: string[][] = [];
    for (let page = await readUsageExport(database.pool, 2); page.rows.length > 0; page = await readUsageExport(database.pool, 2)) {
      pages.push(page.rows.map(({ writerId, sequence }) => `${writerId === one ? 'one' : 'other'} ${sequence}`));
      await noteUsageExported(database.pool, page.looked);
    }
    expect(pages.flat().sort()).toEqual(['one 0', 'one 1', 'one 2', 'other 0']);
  });

  test('a collector gets them as OpenTelemetry says, and metrics say when it is behind', async () => {
    const heard: { url: string | undefined; body: string }[] = [];
    let status = 503;
    const collector: Server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => void parts.push(part));
      request.on('end', () => {
        if (status === 200) heard.push({ url: request.url, body: gunzipSync(Buffer.concat(parts)).toString() });
        response.writeHead(status).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    await claimExport(database.pool, { stream: 'usage', owner: randomUUID(), leaseMs: 0 });
    await count(randomUUID(), [0], '{[0,1)}');
    const registry = createMetricsRegistry();
    const settings = { USAGE_EXPORT: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: 1000 };
    const exports = startLogExports({ service: 'test', settings, database, registry, log: LOG });
    const read = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name}\\{stream="usage"\\} (.*)$`, 'm').exec(await registry.metrics())?.[1]);
    await waitUntil('a failure', async () => (await read('weir_export_failures_total')) > 0 && (await read('weir_export_lag_seconds')) > 0);
    status = 200;
    await waitUntil('a record', () => heard.length > 0);
    await exports.stop();
    collector.closeAllConnections();
    collector.close();
    expect([await read('weir_export_records_total'), await read('weir_export_lag_seconds')]).toEqual([1, 0]);
    expect(heard[0]?.url).toBe('/v1/logs');
    expect(heard[0]?.body).toContain('"eventName":"weir.usage"');
  });
});
