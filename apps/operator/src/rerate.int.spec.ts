import { randomUUID } from 'node:crypto';
import { createDatabase, createUsageStore, type Database } from '@weir/database';
import { getPostgres, makeUsageEvent, NO_UNITS, sequenceEvents, type RealPostgres } from '@weir/testing';
import { DAY_MS } from '@weir/usage';
import { runWeir, type Outcome } from './__fixtures__/run-weir';

const MODEL = 'tests/priced';
const PRICES = [
  { version: 'misprint', validFrom: '2026-08-01', tiers: [{ threshold: 0, input: '0.00001', output: '0.00002' }] },
  { version: 'right', validFrom: '2026-08-02', tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }] },
];
const MODELS = [
  {
    ...{ id: MODEL, modality: 'chat', provider: 'sandbox', upstreamModel: 'chat', vendor: 'tests', lab: 'Tests', canonicalName: MODEL },
    ...{
      family: 'tests',
      description: 'A model of tests.',
      created: 1785542400,
      updated: 1785542400,
      contextWindow: 1000,
      maxOutputTokens: 100,
    },
    ...{ supports: [], inputModalities: ['text'], dataPolicy: { retention: false, retentionDays: 0, training: false }, prices: PRICES },
  },
];

let postgres: RealPostgres;
let database: Database;
let environment: Record<string, string>;
let organizationId: string;

beforeAll(async () => {
  postgres = await getPostgres();
  const url = await postgres.createDatabase();
  database = createDatabase({ url });
  environment = { DATABASE_URL: url, KEY_PEPPER: 'a pepper of thirty-two characters', CATALOG: JSON.stringify(MODELS) };
  organizationId = String((await runWeir('organization create --name Acme', environment)).json['organization_id']);
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
});

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

function rerate(more: readonly string[] = [], [from, to]: readonly [number, number] = [2, 0]): Promise<Outcome> {
  const span = ['--model', MODEL, '--from', daysAgo(from), '--to', daysAgo(to)];
  const prices = ['--price-version', 'misprint', '--to-price-version', 'right'];
  return runWeir(['usage', 'rerate', ...span, ...prices, '--because', 'a misprint', ...more], environment);
}

async function use(admittedAtMs: number): Promise<void> {
  const [units, cost] = [{ ...NO_UNITS, in: 100, out: 50 }, '2000000000'];
  const facts = { org_id: organizationId, admitted_at: admittedAtMs, model_used: MODEL, price_version: 'misprint', units };
  const events = [makeUsageEvent({ ...facts, cost_p: cost, billed_p: cost }), makeUsageEvent({ ...facts, cost_p: '7', billed_p: '7' })];
  const store = createUsageStore({ pool: database.pool, now: Date.now });
  expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: 2 });
}

it('re-rates what a wrong price was charged for, with an audit row for each organization, and is done once', async () => {
  await use(Date.now() - DAY_MS);
  const change = { cost_difference: '-0.0018', billed_difference: '-0.0018', corrected: 1, left: 1 };
  const left = [{ event_id: expect.stringMatching(/:1$/) as string, organization_id: organizationId, why: 'not_itemized' }];

  const dry = await rerate(['--dry-run']);
  expect(dry.complaint).toBe('');
  expect(dry.json).toMatchObject({
    ...change,
    rerate_id: null,
    is_dry_run: true,
    organizations: [{ state: 'would_correct' }],
    left_events: left,
  });

  const { json } = await rerate(['--organization', organizationId]);
  expect(json).toMatchObject({
    ...change,
    is_resumed: false,
    organizations: [{ ...change, organization_id: organizationId, state: 'done' }],
  });
  expect(await rerate()).toMatchObject({ code: 0, json: { corrected: 0, left: 1, cost_difference: '0' } });

  const audit = await database.prisma.auditLog.findMany({ where: { organizationId, action: 'rerate-usage' } });
  expect(audit).toMatchObject([
    {
      ...{ actorKind: 'operator', targetKind: 'organization', before: { price_version: 'misprint' } },
      after: { rerate_id: json['rerate_id'], price_version: 'right', because: 'a misprint', model: MODEL, ...change },
    },
  ]);
  const whole = { is_whole: true };
  expect((await runWeir(`audit verify --organization ${organizationId}`, environment)).json).toMatchObject(whole);
  expect((await runWeir('ledger verify', environment)).json).toMatchObject({ ...whole, missing_guards: [], faults: [] });
});

it('asks before it restates what finance takes for settled', async () => {
  expect(await rerate([], [36, 0])).toMatchObject({ code: 2, complaint: expect.stringContaining('--accept-late') as string });
  expect(await rerate(['--accept-late'], [36, 0])).toMatchObject({ code: 0 });
});

it.each([
  [['--price-version', 'right'], 'are the same'],
  [['--to-price-version', 'unheard-of'], 'knows no price "unheard-of"'],
  [['--from', '2999-01-01T00:00:00Z'], '--from must be before --to'],
  [['--to', 'soon'], '--to takes a time'],
  [['--organization', 'acme'], '--organization takes the id'],
  [['--organization', '99999999-9999-4999-8999-999999999999'], 'no organization'],
  [['--because', ' '], '--because takes'],
])('refuses %j', async (more, complaint) => {
  expect((await rerate(more)).complaint).toContain(complaint);
});
