import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { waitUntil } from '@weir/testing';
import { createCallHarness, type CallHarness } from '../harness/call-harness';
import { waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

const CHAT = { model: 'sandbox/chat', max_tokens: 1000, messages: [{ role: 'user', content: '!tokens 1000' }] };

type Finance = { balance: string; cash: string; counted_from: string | null; usage_not_counted: string };

describe('an organization that works before it is given money', () => {
  let harness: Harness;
  let call: CallHarness;
  beforeAll(async () => {
    harness = await startStandalone();
    call = createCallHarness(harness);
  });
  afterAll(async () => expect(await harness.process.terminate()).toBe(0));

  const readFinance = async (): Promise<Finance> => (await call('GET /v1/organization/finance')).json['finance'] as Finance;
  const chat = async () => call('POST /v1/chat/completions', CHAT);

  it('goes on when its first top-up is less than it has used, and is stopped when that is used up', async () => {
    for (let used = 0; used < 20; used += 1) expect((await chat()).status).toBe(200);
    await waitForRequests(harness, 20);
    const before = await readFinance();
    expect([Number(before.cash), Number(before.balance)]).toEqual([0, 0]);
    expect(Number(before.usage_not_counted)).toBeGreaterThan(0.02);
    const organization = (await call('GET /v1/manage/org')).json['organization'] as { id: string };
    const args = ['apps/operator/bin/weir.cjs', 'balance', 'add', '--organization', organization.id, '--amount', '0.02'];
    await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'], DATA_DIR: harness.dataDir } });

    expect(await readFinance()).toMatchObject({
      cash: '0.02',
      counted_from: expect.any(String),
      usage_not_counted: before.usage_not_counted,
    });
    let served = 0;
    let refused = '';
    await waitUntil('the balance is in force and used up', async () => {
      const { status, text } = await chat();
      if (status === 200) served += 1;
      else refused = `${status} ${text}`;
      return status !== 200;
    });
    expect(served).toBeGreaterThan(0);
    expect(refused).toMatch(/^402 .*The balance of the organization does not cover this request/);
    await waitUntil('what is left is shown', async () => Number((await readFinance()).cash) < 0.02);
  }, 60_000);
});
