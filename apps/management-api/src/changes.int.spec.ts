import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { canonicalJson } from '@weir/http-server';
import { createMaker } from './__fixtures__/maker';
import { useManagement } from './__fixtures__/use-management';
import { createAuditHeadReporter } from './changes/report-audit-heads';
import { isWhole, verifyAudit } from './changes/verify-audit';

jest.setTimeout(60_000);

const suite = useManagement();

describe('every change', () => {
  it('is in the change log and notifies the other processes; a refused one does neither', async () => {
    let notices = 0;
    const end = await suite.harness.notices.subscribe(() => {
      notices += 1;
      return Promise.resolve();
    });
    const key = await suite.make.key();
    const group = await suite.make.group();
    const list = await suite.make.list();
    await suite.send('PATCH', '/v1/manage/org', { zero_data_retention: true });
    await suite.send('PATCH', '/v1/manage/org', { surprise: true });
    await suite.send('POST', `/v1/manage/group/${group}/budget`, { monthly_budget: 1 });
    await end();

    expect((await suite.changes()).slice(1)).toEqual([
      `api-key ${key}`,
      `group ${group}`,
      `access-list ${list}`,
      `organization ${suite.ours.id}`,
    ]);
    expect(notices).toBe(4);
  });

  it('is in the audit log with who, what, before and after, newest first, page by page', async () => {
    const key = await suite.make.key({ monthly_limit: 5 });
    await suite.send('POST', `/v1/manage/apikey/${key}/limit`, { monthly_limit: 7.5 });

    const first = await suite.get('/v1/manage/audit?limit=1');
    expect(first['audit']).toMatchObject([
      {
        action: 'set-api-key-limit',
        actor: { kind: 'api-key', id: suite.ours.apiKeyId },
        target: { kind: 'api-key', id: key },
        before: { monthly_limit: '5' },
        after: { monthly_limit: '7.5' },
      },
    ]);
    const second = await suite.get(`/v1/manage/audit?cursor=${String(first['next'])}`);
    expect([second['audit'].map((row) => row['action']), second['next']]).toEqual([['create-api-key'], null]);
  });

  it('S12: leaves a log that names a row which was changed, and one whose neighbour is gone', async () => {
    const { database } = suite.harness;
    for (const name of ['one', 'two', 'three', 'four']) await suite.make.key({ name });
    const other = await suite.seedOther();
    await createMaker(suite.harness, other).key();
    const rows = await database.prisma.auditLog.findMany({ where: { organizationId: suite.ours.id }, orderBy: { sequence: 'asc' } });
    const [, second, , last] = rows.map(({ sequence }) => sequence);
    const broken = async () => (await verifyAudit(database, { organizationId: suite.ours.id })).map((verdict) => verdict.broken);
    const tamper = async (sql: string): Promise<void> => {
      await database.pool.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_immutable');
      await database.pool.query(sql, [suite.ours.id]);
      await database.pool.query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_immutable');
    };

    expect(await verifyAudit(database, { organizationId: suite.ours.id })).toMatchObject([
      { rows: 4, head: { sequence: last }, broken: [] },
    ]);
    await tamper("UPDATE audit_log SET action = 'nothing' WHERE organization_id = $1 AND after ->> 'name' = 'two'");
    expect(await broken()).toEqual([[{ sequence: second, why: 'changed' }]]);
    await tamper("DELETE FROM audit_log WHERE organization_id = $1 AND after ->> 'name' = 'three'");
    expect(await broken()).toEqual([
      [
        { sequence: second, why: 'changed' },
        { sequence: last, why: 'unchained' },
      ],
    ]);
    expect((await verifyAudit(database)).find(({ organizationId }) => organizationId === other.id)).toMatchObject({ rows: 1, broken: [] });
  });

  it('S12: logs the newest row of each audit log outside of the database, so that rows taken off the end are noticed', async () => {
    const { database } = suite.harness;
    const log = { info: jest.fn() };
    const report = createAuditHeadReporter(database, log);
    const reported = (): string[] => {
      const ours = log.info.mock.calls.map(([about]) => about as { organization: string; auditHead: { hash: string } });
      return ours.filter(({ organization }) => organization === suite.ours.id).map(({ auditHead }) => auditHead.hash);
    };
    const verify = async (notedHead?: string) =>
      (await verifyAudit(database, { organizationId: suite.ours.id, ...(notedHead === undefined ? {} : { notedHead }) }))[0];

    await suite.make.key({ name: 'one' });
    await report();
    await report();
    expect(reported()).toEqual([(await verify())?.head.hash]);
    await suite.make.key({ name: 'two' });
    await report();
    const [first = '', second = ''] = reported();
    expect([first === second, (await verify(first))?.hasNotedHead, (await verify(second))?.hasNotedHead]).toEqual([false, true, true]);

    await database.pool.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_immutable');
    await database.pool.query("DELETE FROM audit_log WHERE organization_id = $1 AND after ->> 'name' = 'two'", [suite.ours.id]);
    expect(await verify(second)).toMatchObject({ rows: 1, broken: [], hasNotedHead: false });
    expect((await verify(first))?.hasNotedHead).toBe(true);
    await database.pool.query('DELETE FROM audit_log WHERE organization_id = $1', [suite.ours.id]);
    await database.pool.query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_immutable');
    expect(await verify(first)).toMatchObject({ rows: 0, hasNotedHead: false });
  });

  it('S12: leaves a log that counts rows which are gone, where it was cut short or emptied, without anything noted elsewhere', async () => {
    const { database } = suite.harness;
    const verify = async () => (await verifyAudit(database)).filter(({ organizationId }) => organizationId === suite.ours.id);
    const tamper = (sql: string): Promise<unknown> =>
      database.pool.query(`BEGIN; SET LOCAL session_replication_role = 'replica'; ${sql}; COMMIT`);
    for (const name of ['one', 'two', 'three']) await suite.make.key({ name });
    await expect(database.pool.query('TRUNCATE audit_log')).rejects.toThrow(/never changed/);
    expect((await verify()).map((verdict) => [verdict.rows, verdict.missing, isWhole(verdict)])).toEqual([[3, 0n, true]]);

    await tamper(`DELETE FROM audit_log WHERE organization_id = '${suite.ours.id}' AND after ->> 'name' = 'three'`);
    expect(await verify()).toMatchObject([{ rows: 2, broken: [], missing: 1n, hasNewestRow: false }]);
    await suite.make.key({ name: 'four' });
    expect((await verify()).map((verdict) => [verdict.missing, verdict.hasNewestRow, isWhole(verdict)])).toEqual([[1n, true, false]]);
    await tamper('TRUNCATE audit_log');
    expect(await verify()).toMatchObject([{ rows: 0, broken: [], missing: 4n, hasNewestRow: false }]);
    await suite.make.key({ name: 'five' });
    expect(await verify()).toMatchObject([{ rows: 1, broken: [], missing: 4n, hasNewestRow: true }]);
  });

  it('covers the audit row before it, also when many come at once, so that a row that was touched shows', async () => {
    await Promise.all(Array.from({ length: 6 }, () => suite.make.key()));

    const rows = await suite.harness.database.prisma.auditLog.findMany({
      where: { organizationId: suite.ours.id },
      orderBy: { sequence: 'asc' },
    });
    expect(rows).toHaveLength(6);
    let previous: Uint8Array | null = null;
    for (const { hash, previousHash, sequence: _, at, ...row } of rows) {
      expect(Buffer.from(previousHash ?? [])).toEqual(Buffer.from(previous ?? []));
      const expected = createHash('sha256').update(previous ?? Buffer.alloc(0));
      expect(Buffer.from(hash ?? [])).toEqual(expected.update(canonicalJson({ ...row, at: at.toISOString() })).digest());
      previous = hash;
    }
  });
});

describe('the interface', () => {
  it('shows the organization’s settings as they were set', async () => {
    const settings = {
      budget_mode: 'group',
      data_residency: 'eu',
      zero_data_retention: true,
      tier: 'paying',
      limits_unavailable: 'deny',
      clamp_to_limit: true,
      charge_failed_attempts: true,
      data_used_for_training: false,
      strict_access: true,
      keep_contents_days: 14,
      time_zone: 'Europe/Berlin',
    };
    await suite.send('PATCH', '/v1/manage/org', { ...settings, approved_models: { chat: ['a/*'] } });

    const { organization } = await suite.get('/v1/manage/org');

    expect(organization).toEqual({
      id: suite.ours.id,
      name: expect.any(String) as string,
      ...settings,
      // Only the operator sets it.
      share: 1,
      approved_models: { chat: ['a/*'], embedding: [], image: [], transcription: [], speech: [] },
    });
    await suite.send('PATCH', '/v1/manage/org', { approved_models: null, data_residency: null });
    expect((await suite.get('/v1/manage/org'))['organization']).toMatchObject({ ...settings, approved_models: null, data_residency: null });
  });

  it('takes usage parameters from a JSON body of a GET as well', async () => {
    const { id } = await suite.createKey();
    const path = `/v1/manage/apikey/${id}/usage`;
    const body = JSON.stringify({ start: '2026-01-01T00:00:00Z', group_by: ['model_used'] });

    expect(await rawGet(path, { body })).toMatchObject({ status: 200, text: expect.stringContaining('"usage":{}') as string });
    expect(await rawGet(path, { body: '{"start":"yesterday"}' })).toMatchObject({ status: 400 });
  });

  it('sends gzip to callers that ask for it, and only to them', async () => {
    const zipped = await rawGet('/v1/manage/apikey', { headers: { 'accept-encoding': 'gzip' } });
    const plain = await rawGet('/v1/manage/apikey', {});

    expect([zipped.encoding, plain.encoding]).toEqual(['gzip', undefined]);
    expect(JSON.parse(gunzipSync(zipped.bytes).toString())).toEqual(JSON.parse(plain.text));
  });

  it('refuses a body that is not JSON with 415, and one that is too large with 413', async () => {
    const form = await suite.harness.call('POST', '/v1/manage/group', {
      key: suite.ours.apiKey,
      body: 'name=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const large = await suite.harness.call('POST', '/v1/manage/group', {
      key: suite.ours.apiKey,
      body: JSON.stringify({ name: 'x'.repeat(5_000_000) }),
    });

    expect([form.status, large.status]).toEqual([415, 413]);
  });

  /** fetch cannot send a body with GET, and always asks for gzip. */
  function rawGet(
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; encoding: string | undefined; bytes: Buffer; text: string }> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = httpRequest(
        suite.harness.url + path,
        { headers: { authorization: `Bearer ${suite.ours.apiKey}`, ...length, ...headers } },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({ status: reply.statusCode ?? 0, encoding: reply.headers['content-encoding'], bytes, text: bytes.toString() });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
});
