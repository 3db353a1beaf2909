import { digestApiKey } from '@weir/access';
import { createDatabase, createDataKeyStore, createKeyDirectory, type Database } from '@weir/database';
import { isProcessAlive } from '@weir/directory-lock';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { createKeyRing, createVault } from '@weir/sealing';
import { holdDataDirectory, openSecrets } from '@weir/standalone';
import { getPostgres, makeTestFolder, type RealPostgres } from '@weir/testing';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWeir, type Outcome } from './__fixtures__/run-weir';
import { COMMANDS } from './all-commands';

const PEPPER = 'a pepper of thirty-two characters';

let postgres: RealPostgres;
let database: Database;
let environment: Record<string, string>;

beforeAll(async () => {
  postgres = await getPostgres();
  const url = await postgres.createDatabase();
  database = createDatabase({ url });
  environment = { DATABASE_URL: url, KEY_PEPPER: PEPPER };
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
});

const weir = (line: string | readonly string[], env = environment): Promise<Outcome> => runWeir(line, env);

async function createOrganization(name = 'Acme'): Promise<string> {
  return String((await weir(['organization', 'create', '--name', name])).json['organization_id']);
}

describe('organizations and keys', () => {
  it('makes an organization the operator’s own, and one like all others again, with an audit line each', async () => {
    const id = await createOrganization();
    const isOperator = async (): Promise<boolean> =>
      (await database.prisma.organization.findUniqueOrThrow({ where: { id }, select: { isOperator: true } })).isOperator;
    expect(await isOperator()).toBe(false);

    expect((await weir(`organization operator --organization ${id}`)).json).toEqual({ organization_id: id, is_operator: true });
    expect(await isOperator()).toBe(true);
    expect((await weir(`organization operator --organization ${id} --withdraw`)).json).toEqual({ organization_id: id, is_operator: false });
    expect(await isOperator()).toBe(false);
    const audit = await database.prisma.auditLog.findMany({
      where: { organizationId: id, action: 'set-operator' },
      orderBy: { sequence: 'asc' },
    });
    expect(audit).toMatchObject([
      { before: { is_operator: false }, after: { is_operator: true } },
      { before: { is_operator: true }, after: { is_operator: false } },
    ]);
    expect((await weir('organization operator --organization 00000000-0000-4000-8000-000000000000')).code).toBe(1);
  });

  it('makes an organization whose first key may do everything, with its owner and an audit line', async () => {
    const { code, json, complaint } = await weir('organization create --name Acme --email Ann@Acme.example --json');

    expect([code, complaint]).toEqual([0, '']);
    const key = await createKeyDirectory(database.pool).findByDigest(digestApiKey(String(json['api_key']), PEPPER));
    expect(key).toMatchObject({
      apiKeyId: json['api_key_id'],
      organizationId: json['organization_id'],
      permissions: { manage: 'write', completions: 'write' },
    });
    const organizationId = String(json['organization_id']);
    expect(await database.prisma.orgMember.findMany({ where: { organizationId }, include: { user: true } })).toMatchObject([
      { role: 'owner', user: { email: 'ann@acme.example' } },
    ]);
    const audit = await database.prisma.auditLog.findMany({ where: { organizationId } });
    expect(audit).toMatchObject([{ actorKind: 'operator', action: 'create-organization', targetId: organizationId }]);
    expect((await weir(`audit verify --organization ${organizationId}`)).json).toMatchObject({
      is_whole: true,
      organizations: [{ organization_id: organizationId, rows: 1, head: { id: String(audit[0]?.sequence) }, broken: [] }],
    });
    const ledger = { is_whole: true, missing_guards: [], faults: [] };
    expect((await weir(`ledger verify --organization ${organizationId}`)).json).toEqual(ledger);
    expect((await weir('ledger verify --organization none')).complaint).toContain('--organization');
    expect((await weir('audit verify --organization unknown')).complaint).toContain('--organization');
    expect((await weir(`limit verify --organization ${organizationId}`)).json).toEqual({
      ...{ is_whole: true, compared: 0, not_compared: 0, differences: [] },
    });
    expect((await weir('limit verify --organization none')).complaint).toContain('--organization');
    const limit = { org_id: organizationId, limit_id: json['api_key_id'], scope: `limit:${String(json['api_key_id'])}:usd:-:total` };
    const added = 'INSERT INTO limit_usage (org_id, scope, limit_id, used, version) VALUES ($1, $2, $3, 1500000000000, 1)';
    await database.pool.query(added, [organizationId, limit.scope, limit.limit_id]);
    expect((await weir('limit verify')).json).toEqual({
      ...{ is_whole: false, compared: 1, not_compared: 0 },
      differences: [
        { ...{ organization_id: limit.org_id, limit_id: limit.limit_id, measure: 'usd', scope: limit.scope }, counted: '1.5', used: '0' },
      ],
    });
    await database.pool.query('DELETE FROM limit_usage');
    const noted = Buffer.from(audit[0]?.hash ?? []).toString('hex');
    const verify = async (head: string) => (await weir(`audit verify --organization ${organizationId} --head ${head}`)).json;
    expect(await verify(noted)).toMatchObject({ is_whole: true, organizations: [{ has_noted_head: true }] });
    expect(await verify('0'.repeat(64))).toMatchObject({ is_whole: false, organizations: [{ has_noted_head: false }] });
    expect((await weir(`audit verify --head ${noted}`)).complaint).toContain('--head');
    expect(JSON.stringify(audit, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      String(json['api_key']),
    );
  });

  it('makes a second organization of the same name beside the first', async () => {
    expect(await createOrganization()).not.toBe(await createOrganization());
  });

  it('sets the weight of an organization, which is its own to read and not to set', async () => {
    const { json } = await weir('organization create --name Heavy --json');
    const organizationId = String(json['organization_id']);
    expect((await weir(`organization share --organization ${organizationId} --share 4`)).json).toEqual({
      organization_id: organizationId,
      share: 4,
    });
    const key = await createKeyDirectory(database.pool).findByDigest(digestApiKey(String(json['api_key']), PEPPER));
    expect(key?.organization.share).toBe(4);
    const audit = await database.prisma.auditLog.findMany({ where: { organizationId, action: 'share-organization' } });
    expect(audit).toMatchObject([{ actorKind: 'operator', before: { share: 1 }, after: { share: 4 } }]);
    for (const share of ['0', '101', '1.5', 'many']) {
      expect((await weir(`organization share --organization ${organizationId} --share ${share}`)).code).toBe(2);
    }
    expect((await weir('organization share --organization unknown --share 2')).code).toBe(1);
  });

  it('makes keys as the interface does, with the same checks', async () => {
    const organization = await createOrganization();
    const line = ['key', 'create', '--organization', organization];

    const made = await weir([...line, '--manage', 'read', '--monthly-limit', '0.1', '--label', 'team=red', '--label', 'stage=a=b']);
    const id = String(made.json['api_key_id']);
    const key = await database.prisma.apiKey.findUniqueOrThrow({ where: { id }, include: { labelSet: true } });
    expect(key).toMatchObject({
      permManage: 'read',
      permCompletions: 'write',
      userId: null,
      labelSet: { labels: { team: 'red', stage: 'a=b' } },
    });
    expect(key.monthlyLimitPico?.toFixed(0)).toBe('100000000000');

    const refused = await weir([...line, '--manage', 'all']);
    expect([refused.code, refused.complaint]).toEqual([2, expect.stringContaining('`permissions.manage`') as string]);
    expect((await weir([...line, '--group', organization])).complaint).toContain('has no group');
    expect(await weir([...line, '--monthly-limit', 'much'])).toMatchObject({
      code: 2,
      complaint: expect.stringContaining('--monthly-limit'),
    });
    expect((await weir('key create --organization 00000000-0000-4000-8000-000000000000')).complaint).toContain('There is no organization');
  });

  it('makes a key of a member, named by e-mail address or id, and of no one else', async () => {
    const made = await weir('organization create --name Acme --email Owner@Acme.example --json');
    const organization = String(made.json['organization_id']);
    const { userId } = await database.prisma.orgMember.findFirstOrThrow({ where: { organizationId: organization } });
    const line = ['key', 'create', '--organization', organization, '--member'];

    for (const member of ['OWNER@acme.example', userId]) {
      const { json } = await weir([...line, member]);
      const key = await database.prisma.apiKey.findUniqueOrThrow({ where: { id: String(json['api_key_id']) } });
      expect(key).toMatchObject({ userId, createdBy: userId });
    }
    await weir('organization create --name Other --email stranger@other.example');
    for (const stranger of ['stranger@other.example', 'no@one.example', organization]) {
      expect(await weir([...line, stranger])).toMatchObject({ code: 1, complaint: expect.stringContaining('has no member') as string });
    }
  });

  it('shows the change to edges: it is in the change log', async () => {
    const organization = await createOrganization();
    const { json } = await weir(['key', 'create', '--organization', organization]);

    const changes = await database.prisma.configChange.findMany({ where: { organizationId: organization }, orderBy: { sequence: 'asc' } });
    expect(changes.at(-1)).toMatchObject({ entity: 'api-key', entityId: json['api_key_id'] });
  });
});

describe('balances', () => {
  it('posts exact amounts of every kind by double entry, once per idempotency key', async () => {
    const organization = await createOrganization();
    const add = (rest: string): Promise<Outcome> => weir(`balance add --organization ${organization} ${rest}`);

    const first = await add('--amount 0.100000000001 --idempotency-key payment-1');
    expect(first.json).toMatchObject({ is_new: true, balance: '0.100000000001', cash: '0.100000000001', gift: '0', promotion: '0' });
    expect((await add('--amount 0.100000000001 --idempotency-key payment-1')).json).toMatchObject({
      is_new: false,
      transaction_id: first.json['transaction_id'],
      balance: '0.100000000001',
    });
    expect(await add('--amount 0.2 --idempotency-key payment-1')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('idempotency') as string,
    });
    await add('--amount 5 --kind gift');
    const last = await add('--amount 2.5 --kind promotion --expires-at 2099-01-01T00:00:00Z --note welcome');
    expect(last.json).toMatchObject({ balance: '7.600000000001', gift: '5', promotion: '2.5' });

    const { rows } = await database.pool.query<{ total: string; entries: string }>(
      `SELECT trim_scale(sum(e.amount))::text AS total, count(*)::text AS entries FROM ledger_entry e JOIN ledger_tx t ON t.id = e.tx_id WHERE t.org_id = $1`,
      [organization],
    );
    expect(rows).toEqual([{ total: '0', entries: '6' }]);
    expect(await database.prisma.organization.findUniqueOrThrow({ where: { id: organization } })).toMatchObject({ tier: 'paying' });
    const audit = await database.prisma.auditLog.count({ where: { organizationId: organization, action: 'add-balance' } });
    expect(audit).toBe(3);
  });

  it.each([
    ['--amount 1e3', '--amount'],
    ['--amount 0.0000000000001', 'twelve places'],
    ['--amount 5 --kind loan', '--kind'],
    ['--amount 5 --expires-at soon --kind gift', '--expires-at'],
    ['--kind gift', '--amount is required'],
  ])('refuses "%s" as not understood', async (rest, complaint) => {
    const refused = await weir(`balance add --organization ${await createOrganization()} ${rest}`);

    expect([refused.code, refused.printed, refused.complaint]).toEqual([2, '', expect.stringContaining(complaint) as string]);
  });

  it('refuses what is no amount of money', async () => {
    const refused = await weir(`balance add --organization ${await createOrganization()} --amount 0`);

    expect([refused.code, refused.complaint]).toEqual([2, expect.stringContaining('`amount`') as string]);
  });
});

describe('the command line', () => {
  it('explains itself and every command without touching a database', async () => {
    const nowhere = { DATA_DIR: '/nowhere' };
    expect((await weir('--help', nowhere)).printed).toContain('Usage: weir <command>');
    for (const { words } of COMMANDS) {
      const { code, printed } = await weir(`${words} --help`, nowhere);
      expect([code, printed]).toEqual([0, expect.stringContaining(`Usage: weir ${words} `) as string]);
    }
  });

  it.each(['organization destroy', 'organization create --name A --colour red', 'migrate now'])(
    'refuses "%s" with code 2',
    async (line) => {
      expect(await weir(line)).toMatchObject({ code: 2, printed: '' });
    },
  );

  it('prints one line with --json', async () => {
    const { printed } = await weir('migrate --json');

    expect(printed.trimEnd()).not.toContain('\n');
    expect(JSON.parse(printed)).toEqual({ migrations: expect.arrayContaining(['20261121000000_init']) as string[] });
  });
});

describe('the standalone’s own database', () => {
  it('is started for the command while no gateway runs, and joined while one does', async () => {
    const directory = makeTestFolder('operator');
    const env = { DATA_DIR: directory };
    try {
      expect(await weir('migrate', env)).toMatchObject({ code: 1, complaint: expect.stringContaining('There is no gateway in') as string });
      const { keyPepper } = openSecrets(directory);
      const alone = await weir('organization create --name Alone', env);
      expect([alone.code, existsSync(join(directory, 'postgres', 'data', 'postmaster.pid'))]).toEqual([0, false]);

      const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
      try {
        const { release } = holdDataDirectory(directory);
        const beside = await weir('organization create --name Beside', env);
        release();
        const own = createDatabase({ url: server.url });
        const found = await createKeyDirectory(own.pool).findByDigest(digestApiKey(String(alone.json['api_key']), keyPepper));
        await own.close();
        expect([beside.code, isProcessAlive(server.pid)]).toEqual([0, true]);
        expect(found).toMatchObject({ organizationId: alone.json['organization_id'] });
      } finally {
        await server.stop();
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe('secrets', () => {
  const OLD = 'an old sealing key of 32 or more characters';
  const NEW = 'a new sealing key of 32 or more characters';

  it('come under the new key while both are set, and open without the old one from then on', async () => {
    const organizationId = await createOrganization();
    const store = createDataKeyStore(database.pool);
    const place = { organizationId, recordId: 'r', version: 1 };
    const sealed = await createVault({ keyRing: createKeyRing(OLD), store }).seal('secret', place);
    const nowhere = { ...environment, DATA_DIR: join(tmpdir(), 'no-such-data-directory') };

    const { code, json } = await weir('secrets reencrypt', { ...nowhere, SEALING_KEY: `${NEW},${OLD}` });

    expect([code, json]).toEqual([
      0,
      { key_encryption_key: createKeyRing(NEW).activeId, rewrapped_data_keys: 1, renewed_data_keys: 0, resealed_secrets: 0 },
    ]);
    expect(await createVault({ keyRing: createKeyRing(NEW), store }).open(sealed, place)).toBe('secret');
    expect((await weir('secrets reencrypt', nowhere)).complaint).toContain('SEALING_KEY');
    expect((await weir('secrets reencrypt --renew-data-keys maybe', nowhere)).complaint).toContain('--renew-data-keys');
  });
});

describe('usage', () => {
  it('prints what is missing of each journal, and counts again what was set aside', async () => {
    const writer = '018f0000-0000-7000-8000-000000000001';
    await database.pool.query("INSERT INTO usage_writer (writer_id, seen, first_gap_at) VALUES ($1, '{[0,5),[7,9)}', now())", [writer]);
    await database.pool.query("INSERT INTO usage_dead_letter (writer_id, seq, reason, payload) VALUES ($1, 3, 'unreadable', '{broken')", [
      writer,
    ]);

    expect((await weir('usage writers')).json['writers']).toEqual([
      {
        writer_id: writer,
        counted_up_to: '4',
        missing: [{ from: '5', to: '7' }],
        missing_since: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect((await weir('usage replay --reason unreadable')).json).toEqual({ replayed: 0, refused: { unreadable: 1 } });
    expect((await weir('usage replay --reason too_late')).json).toEqual({ replayed: 0, refused: {} });
    expect((await weir('usage replay --accept-late maybe')).complaint).toContain('--accept-late');
    await database.pool.query('DELETE FROM usage_dead_letter');
  });

  it('sets aside for good what is no usage, once and with the reason', async () => {
    await database.pool.query("INSERT INTO usage_dead_letter (reason, payload) VALUES ('unplaced', '{broken')");
    const { letters } = (await weir('usage letters')).json as { letters: { id: string }[] };
    const [letter] = letters;
    expect(letters).toEqual([
      {
        ...{ id: expect.any(String), reason: 'unplaced', writer_id: null, sequence: null },
        ...{ received_at: expect.any(String), beginning: '{broken' },
      },
    ]);
    const dismiss = ['usage', 'dismiss', '--letter', letter?.id ?? '', '--because', 'a probe by hand'];
    expect((await weir(dismiss)).json).toEqual({ dismissed: letter?.id });
    expect((await weir('usage letters')).json).toEqual({ letters: [] });
    expect((await weir(dismiss)).complaint).toContain('waits');
    expect((await weir('usage dismiss --letter x --because y')).complaint).toContain('--letter');
    const { rows } = await database.pool.query('SELECT dismissed_because FROM usage_dead_letter');
    expect(rows).toEqual([{ dismissed_because: 'a probe by hand' }]);
  });

  it('compares a provider’s invoice with what was counted', async () => {
    const file = join(makeTestFolder('invoice'), 'invoice.csv');
    const compare = (provider: string) => weir(['invoice', 'compare', file, '--provider', provider]);
    await database.pool.query(
      `WITH series AS (
        INSERT INTO usage_series (hash, org_id, api_key_id, model_requested, model_used, provider_used, is_byok, endpoint, modality, extra)
        VALUES ('x', gen_random_uuid(), gen_random_uuid(), 'm', 'm', 'maker', false, 'chat-completions', 'chat', '{}') RETURNING id, org_id)
      INSERT INTO usage_day SELECT org_id, '2026-08-07Z', id, ${'0, '.repeat(14)} 12340000000000, 0, 0, 0, 0 FROM series`,
    );
    await writeFile(file, 'day,usd\n2026-08-07,12.35\n');
    expect((await compare('maker')).json).toMatchObject({ invoiced: '12.35', counted: '12.34', is_within_tolerance: true, days: [] });
    await writeFile(file, '2026-08-07,12.50\n');
    expect((await compare('maker')).json).toMatchObject({
      differing_days: 1,
      days: [{ day: '2026-08-07', difference: '0.16', models: [] }],
    });
    expect((await compare('unknown')).complaint).toContain('"unknown"');
    await writeFile(file, 'soon,12.50\nlater');
    expect(await compare('maker')).toMatchObject({ code: 2, complaint: expect.stringContaining('line 2') as string });
  });

  it('builds a period anew', async () => {
    const organization = await createOrganization('Rebuilt');
    const rebuild = (rest: string) => weir(`usage rebuild --organization ${organization} ${rest}`);
    expect((await rebuild('--resolution hour --period 2026-08-07T12:34:56Z')).json).toEqual({
      ...{ organization_id: organization, resolution: 'hour', rebuilt: '2026-08-07T12:00:00.000Z' },
    });
    expect((await rebuild('--resolution week --period 2026-08-07T12:34:56Z')).complaint).toContain('--resolution');
    expect((await rebuild('--resolution month --period soon')).complaint).toContain('--period');
    const ofNoOne = await weir('usage rebuild --organization unknown --resolution hour --period 2026-08-07T12:34:56Z');
    expect(ofNoOne).toMatchObject({ code: 1, complaint: expect.stringContaining('no organization "unknown"') as string });
  });
});
