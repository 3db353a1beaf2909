import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

type Entry = {
  readonly id: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string };
};

async function list(query = ''): Promise<{ readonly entries: readonly Entry[]; readonly next: string | null }> {
  const { status, json, text } = await suite.send('GET', `/v1/manage/audit${query}`);
  if (status !== 200) throw new Error(text);
  return { entries: json.audit as unknown as Entry[], next: json['next'] as string | null };
}

async function verify(query = ''): Promise<{ readonly verification: Record<string, unknown>; readonly next: string | null }> {
  const { json } = await suite.send('GET', `/v1/manage/audit/verification${query}`);
  return json as unknown as { verification: Record<string, unknown>; next: string | null };
}

/** As someone with the database in hands would: the log itself refuses it. */
async function tamper(sql: string, values: readonly unknown[]): Promise<void> {
  const client = await suite.harness.database.pool.connect();
  try {
    await client.query(`SET session_replication_role = 'replica'`);
    await client.query(sql, [...values]);
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}

describe('the list', () => {
  it('finds by actor, action, target, time and text, all of which have to hold', async () => {
    const key = await suite.make.key({ name: 'Falcon 50%_off "quoted"' });
    const group = await suite.make.group({ name: 'Falconers' });
    const other = await suite.createKey({ name: 'second hand', permissions: { manage: 'write', completions: 'write' } });
    await suite.harness.call('POST', `/v1/manage/apikey/${key}/limit`, { key: other.secret, body: { monthly_limit: 5 } });
    const found = async (query: string): Promise<string[]> => (await list(query)).entries.map(({ action }) => action);

    expect(await found(`?actor=${other.id}`)).toEqual(['set-api-key-limit']);
    expect((await list(`?actor=${other.id}`)).entries[0]?.actor).toEqual({ kind: 'api-key', id: other.id, name: 'second hand' });
    expect(await found('?action=create-group')).toEqual(['create-group']);
    expect(await found(`?target=${key}`)).toEqual(['set-api-key-limit', 'create-api-key']);
    expect(await found(`?target=${group}&target_kind=api-key`)).toEqual([]);
    expect(await found('?target_kind=group')).toEqual(['create-group']);
    expect(await found('?search=FALCON')).toEqual(['set-api-key-limit', 'create-group', 'create-api-key']);
    expect(await found('?search=falcon&action=create-group')).toEqual(['create-group']);
    // Every character means itself.
    expect(await found(`?search=${encodeURIComponent('50%_off "quoted')}`)).toEqual(['set-api-key-limit', 'create-api-key']);
    expect(await found(`?search=${encodeURIComponent('falcon%quoted')}`)).toEqual([]);
    expect(await found(`?search=${encodeURIComponent(`'); DROP TABLE audit_log; --`)}`)).toEqual([]);
    expect(await found('?end=2026-01-01T00:00:00Z')).toEqual([]);
    expect(await found('?start=2026-01-01T00:00:00Z&actor_kind=operator')).toEqual([]);
    expect((await found('?start=2026-01-01T00:00:00Z')).length).toBeGreaterThanOrEqual(4);
  });

  it('comes in pages that fit a filter', async () => {
    for (let index = 0; index < 5; index += 1) {
      await suite.make.key({ name: `paged ${index}` });
      await suite.make.group({ name: `between ${index}` });
    }
    const seen: string[] = [];
    let next: string | null = '';
    for (let pages = 0; next !== null && pages < 9; pages += 1) {
      const page = await list(`?search=paged&limit=2${next === '' ? '' : `&cursor=${next}`}`);
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries.map(({ id }) => id));
      next = page.next;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual([...seen].sort((a, b) => Number(b) - Number(a)));
  });

  it('reads no more of large entries at once than others can wait for, and leaves none out', async () => {
    const chat = Array.from({ length: 5_000 }, (_, at) => `vendor/${'m'.repeat(80)}-${at}`);
    for (let at = 0; at < 4; at += 1) {
      const made = await suite.send('POST', '/v1/manage/access-list', { name: `large ${at}`, chat });
      expect([made.status, made.text]).toEqual([200, expect.any(String)]);
    }
    const found: string[] = [];
    let pages = 0;
    for (let next: string | null = ''; next !== null; pages += 1) {
      const page = await list(`?action=create-access-list&limit=100${next === '' ? '' : `&cursor=${next}`}`);
      found.push(...page.entries.map(({ id }) => id));
      next = page.next;
    }
    expect([new Set(found).size, found.length]).toEqual([4, 4]);
    expect(pages).toBeGreaterThan(1);
  });

  it('shows nothing of other organizations', async () => {
    const other = await suite.seedOther();
    await suite.harness.call('POST', '/v1/manage/apikey', { key: other.apiKey, body: { name: 'theirs alone' } });
    expect((await list('?search=theirs')).entries).toEqual([]);
    expect((await list(`?actor=${other.apiKeyId}`)).entries).toEqual([]);
  });
});

describe('the file', () => {
  it('has all that a filter selects, as CSV and as JSON, and no formula', async () => {
    await suite.make.key({ name: '=HYPERLINK("http://example.com")' });
    await suite.make.group({ name: 'plain' });
    const csv = await suite.send('GET', '/v1/manage/audit/export?target_kind=api-key');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/);
    expect(csv.text.split('\n')[0]).toBe('id,at,actor_kind,actor_id,actor_name,action,target_kind,target_id,before,after,request_id,ip');
    expect(csv.text).toContain('create-api-key');
    expect(csv.text).not.toContain('create-group');
    expect(csv.text).not.toMatch(/(^|,)"?=/m);

    const json = await suite.send('GET', '/v1/manage/audit/export?format=json');
    const entries = JSON.parse(json.text) as Entry[];
    expect(entries.map(({ id }) => id)).toEqual((await list('?limit=1000')).entries.map(({ id }) => id));
    expect(JSON.parse((await suite.send('GET', '/v1/manage/audit/export?format=json&search=nowhere')).text)).toEqual([]);
  });
});

describe('the verification', () => {
  it('goes through a whole log in steps', async () => {
    for (let index = 0; index < 5; index += 1) await suite.make.key();
    const whole = await verify();
    expect(whole).toMatchObject({ verification: { first_broken: null, missing: 0, has_newest: true }, next: null });
    const all = Number(whole.verification['entries']);

    let entries = 0;
    let steps = 0;
    for (let next: string | null = ''; next !== null; steps += 1) {
      const step: Awaited<ReturnType<typeof verify>> = await verify(`?limit=2${next === '' ? '' : `&cursor=${next}`}`);
      expect(step.verification['first_broken']).toBeNull();
      expect(step.verification['missing']).toBe(step.next === null ? 0 : null);
      entries += Number(step.verification['entries']);
      next = step.next;
    }
    expect([entries, steps]).toEqual([all, Math.ceil(all / 2)]);
    expect(all).toBeGreaterThanOrEqual(5);
  });

  it('names the first entry that was changed, and one that follows another than it was written after', async () => {
    for (let index = 0; index < 4; index += 1) await suite.make.key();
    const { entries } = await list('?limit=4');
    const [newest = '', , second = ''] = entries.map(({ id }) => id);
    await tamper(`UPDATE audit_log SET ip = '203.0.113.9' WHERE sequence = $1`, [second]);
    expect((await verify()).verification).toMatchObject({ first_broken: { id: second, why: 'changed' }, missing: 0 });

    await tamper('DELETE FROM audit_log WHERE sequence = $1', [second]);
    expect((await verify()).verification).toMatchObject({ first_broken: { why: 'unchained' }, missing: 1, has_newest: true });

    await tamper('DELETE FROM audit_log WHERE sequence = $1', [newest]);
    expect((await verify()).verification).toMatchObject({ missing: 2, has_newest: false });
  });

  it('goes on from no entry of another organization', async () => {
    const other = await suite.seedOther();
    await suite.harness.call('POST', '/v1/manage/apikey', { key: other.apiKey, body: { name: 'theirs' } });
    const theirs = await suite.harness.call('GET', '/v1/manage/audit?limit=1', { key: other.apiKey });
    const [entry] = theirs.json.audit as unknown as Entry[];
    expect((await suite.send('GET', `/v1/manage/audit/verification?cursor=${entry?.id}`)).status).toBe(400);
  });
});
