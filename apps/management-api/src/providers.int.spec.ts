import type { ProcessReport } from '@weir/contracts';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

type Shown = { readonly providers: readonly Record<string, unknown>[]; readonly processes: number | null };

const AT_MS = Date.parse('2026-11-23T12:00:00Z');

function reportOf(more: Partial<ProcessReport>): string {
  const providers = [
    { id: 'plain', name: 'Plain', isSetUp: false, needs: [['PLAIN_API_KEY']], keyWays: [['api_key']], keyOptional: [] },
    {
      id: 'cloud',
      name: 'Cloud',
      isSetUp: true,
      needs: [['CLOUD_ID', 'CLOUD_SECRET'], ['CLOUD_FILE']],
      keyWays: [['id', 'secret']],
      keyOptional: ['region'],
    },
  ];
  return JSON.stringify({ atMs: AT_MS, providers, ejected: [], outcomes: [], latencies: [], ...more } satisfies ProcessReport);
}

async function list(): Promise<Shown> {
  const { status, json } = await suite.send('GET', '/v1/manage/provider');
  expect(status).toBe(200);
  return json as unknown as Shown;
}

const find = ({ providers }: Shown, id: string) => providers.find((provider) => provider['id'] === id);

const place = { provider: 'cloud', region: 'eu', account: null };

afterEach(() => Promise.all(['a', 'b', 'c'].map((id) => suite.harness.processReports.withdraw(id))));

it('knows of the catalogue and of own keys alone where no process reports', async () => {
  await suite.make.credential({ provider: 'plain' });
  const shown = await list();
  expect(shown.processes).toBe(0);
  expect(find(shown, 'plain')).toMatchObject({ is_set_up: null, needs: [], own_keys: 1, health: { state: 'unknown', seen_by: 0 } });
  expect(find(shown, 'sandbox')).toMatchObject({ own_keys: 0, models: expect.any(Number) as unknown, health: { error_share: null } });
});

it('adds up what the processes report, and names how many there are', async () => {
  const { processReports } = suite.harness;
  const latency = { provider: 'cloud', region: 'eu', model: 'cloud/x', isStream: true };
  await processReports.publish(
    'a',
    reportOf({
      ejected: [{ ...place, forMs: 30_000 }],
      outcomes: [{ ...place, model: 'cloud/x', attempts: 30, failures: 6 }],
      latencies: [{ ...latency, meanMs: 100, samples: 1 }],
    }),
    60_000,
  );
  await processReports.publish(
    'b',
    reportOf({
      outcomes: [{ ...place, model: 'cloud/x', attempts: 10, failures: 0 }],
      latencies: [{ ...latency, meanMs: 200, samples: 3 }],
    }),
    60_000,
  );
  // Of a version that this one cannot read.
  await processReports.publish('c', '{"atMs":"later"}', 60_000);

  const shown = await list();
  expect(shown.processes).toBe(2);
  expect(find(shown, 'plain')).toMatchObject({ name: 'Plain', is_set_up: false, needs: [['PLAIN_API_KEY']] });
  expect(find(shown, 'cloud')).toMatchObject({
    ...{ name: 'Cloud', is_set_up: true, needs: [['CLOUD_ID', 'CLOUD_SECRET'], ['CLOUD_FILE']] },
    ...{ key_ways: [['id', 'secret']], key_optional: ['region'] },
    health: {
      ...{ state: 'partly_ejected', error_share: 0.15, has_few_attempts: false, latency_ms: { stream: 175, whole: null } },
      ...{ ejected_until: '2026-11-23T12:00:30.000Z', seen_by: 2 },
    },
    places: [{ region: 'eu', provider_credential_id: null, state: 'partly_ejected', ejected_by: 1 }],
    model_health: [{ model: 'cloud/x', error_share: 0.15 }],
  });

  await processReports.publish('b', reportOf({ ejected: [{ ...place, forMs: 60_000 }] }), 60_000);
  expect(find(await list(), 'cloud')).toMatchObject({ health: { state: 'ejected', ejected_until: '2026-11-23T12:01:00.000Z' } });
});

it('forgets a process that is not heard of any more', async () => {
  await suite.harness.processReports.publish('a', reportOf({}), 60_000);
  await suite.harness.processReports.publish('b', reportOf({}), 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await list()).processes).toBe(1);
});

it('shows what becomes of own accounts, and nothing of those of others', async () => {
  const credential = await suite.make.credential({ provider: 'plain' });
  const theirs = '00000000-0000-4000-8000-00000000dead';
  const ofAccount = (account: string) => ({ ...place, provider: 'plain', account, model: 'plain/x', attempts: 4, failures: 4 });
  await suite.harness.processReports.publish(
    'a',
    reportOf({
      outcomes: [ofAccount(credential), ofAccount(theirs)],
      ejected: [{ ...place, provider: 'plain', account: theirs, forMs: 1 }],
    }),
    60_000,
  );
  const shown = find(await list(), 'plain');
  expect(shown).toMatchObject({
    health: { state: 'ok', error_share: 1, has_few_attempts: true },
    places: [{ provider_credential_id: credential, state: 'ok' }],
  });
  expect(JSON.stringify(shown)).not.toContain(theirs);
});

it('says so where the reports cannot be read, and has everything else', async () => {
  const { processReports } = suite.harness;
  const listed = jest.spyOn(processReports, 'list').mockRejectedValue(new Error('the store is away'));
  const shown = await list();
  listed.mockRestore();
  expect(shown.processes).toBeNull();
  expect(shown.providers.length).toBeGreaterThan(5);
});

it('is for administrators of the organization', async () => {
  const { secret } = await suite.createKey({ permissions: { completions: 'write' } });
  expect((await suite.harness.call('GET', '/v1/manage/provider', { key: secret })).status).toBe(403);
});
