import { describeWithRealParts, startFakeUpstream, waitUntil, type FakeUpstream } from '@weir/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import type { CallHarness } from '../../harness/call-harness';
import { pointAt } from '../../harness/client-harness';
import { ANTHROPIC, OPENAI } from '../../harness/create-routes';
import { download, pressAt, typeInto } from '../../harness/browser-steps';
import { addUsd } from '../../harness/price-by-hand';
import { waitForRequests } from '../../harness/read-usage';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const SERVED = 3;
const FAILED = 2;
/** Those, one that a second provider served, and one whose text was masked. */
const SENT = SERVED + FAILED + 2;
/** Their values are chosen from a list, the others are written. */
const CHOSEN = ['Status', 'Key', 'Group'];
/** Longer than the list waits until it asks for what is new. */
const POLL_MS = 2_500;

type Line = { readonly id: string; readonly cost: string };
type Attempt = { readonly model: string; readonly price_lines: readonly { readonly amount: string }[] };

const runFile = promisify(execFile);

/** Job 2: single requests as they come, found by anything, and one of them explained. */
describeWithRealParts(['browser'], 'requests in the console', () => {
  let upstream: FakeUpstream;
  let harness: ConsoleHarness;
  let call: CallHarness;
  let secret: string;
  /** Of all that was sent before, and of nothing later. */
  let path: string;
  /** Of two attempts, and of a text that was masked. */
  let [twice, masked] = ['', ''];

  const ask = async (model: string, more: object = {}, apiKey = secret): Promise<string> => {
    const body = { model, max_tokens: 50, messages: [{ role: 'user', content: 'hello' }], ...more };
    return (await call('POST /v1/chat/completions', body, { authorization: `Bearer ${apiKey}` })).headers['x-request-id'] ?? '';
  };
  const fail = (status: number): void => upstream.reply({ status, body: { error: { message: 'no' } } }, { when: () => true, times: 1 });
  const readLines = async (query: string): Promise<readonly Line[]> =>
    (await harness.must(`GET /v1/generation?limit=200&${query}`))['generations'] as Line[];
  const rowsOf = (page: Page): Locator => page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
  const waitForRows = (page: Page, count: number): Promise<void> =>
    waitUntil(`${count} rows`, async () => (await rowsOf(page).count()) === count);
  const isCounted = (id: string): Promise<void> =>
    waitUntil('the request is counted', async () => (await call(`GET /v1/generation/${id}`)).status === 200);

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    harness = await startConsoleHarness(pointAt(upstream));
    ({ call } = harness);
    const { group_id: group } = await harness.must('POST /v1/manage/group', { name: 'Research' });
    const key = { name: 'checkout', group_id: group, monthly_limit: 20, labels: { team: 'search' } };
    const made = await harness.must('POST /v1/manage/apikey', key);
    [secret, path] = [String(made['api_key']), `/console/requests?api_key_id=${String(made['api_key_id'])}`];
    await harness.must('POST /v1/manage/policy', { name: 'careful', strategy: 'fallback', models: [ANTHROPIC, OPENAI] });
    const guardrail = { name: 'addresses', detectors: ['email'], action: 'mask', stage: 'input' };
    await harness.must('POST /v1/manage/guardrail', guardrail);
    for (let index = 0; index < SERVED; index += 1) await ask(OPENAI, { user: 'user-7' });
    for (let index = 0; index < FAILED; index += 1) {
      fail(400);
      await ask(OPENAI);
    }
    fail(500);
    twice = await ask('policy/careful');
    masked = await ask('sandbox/chat', { messages: [{ role: 'user', content: 'Write to ann@example.com' }] });
    await waitForRequests(harness.gateway, SENT);
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(async () => {
    await harness.close();
    await upstream.stop();
  });

  it('are explained by keyboard: who was asked, why it was left, what was held, and a price that adds up', async () => {
    const page = await harness.visit('/console/requests?model_requested=policy/careful');
    await waitForRows(page, 1);
    await pressAt(page, rowsOf(page).first().getByRole('link').first());
    await page.waitForURL(new RegExp(`/requests/${twice}$`));
    await page.getByRole('heading', { name: '2 attempts' }).waitFor();

    const { generation } = (await harness.must(`GET /v1/generation/${twice}`)) as {
      readonly generation: { readonly cost: string; readonly attempts: readonly Attempt[]; readonly limits: { readonly hold_id: string } };
    };
    expect(generation.attempts.map(({ model }) => model)).toEqual([ANTHROPIC, OPENAI]);
    const steps = page.getByRole('region', { name: '2 attempts' }).locator('.request-attempt');
    expect([await steps.count(), await steps.getByRole('img', { name: /^Sent at/ }).count()]).toEqual([2, 2]);
    expect(await steps.first().innerText()).toMatch(/Provider error[\s\S]*Chosen[\s\S]*Left[\s\S]*Provider’s status[\s\S]*500/);
    expect(await steps.last().innerText()).toContain('OK');
    await page.getByRole('definition').getByText(generation.limits.hold_id, { exact: true }).waitFor();

    const amounts = await page.getByRole('table', { name: 'Cost of attempt 2' }).locator('tbody td:last-child').allInnerTexts();
    expect(amounts.map((amount) => amount.replace('$', ''))).toEqual(generation.attempts[1]?.price_lines.map(({ amount }) => amount));
    expect(addUsd(amounts.map((amount) => amount.replace('$', '')))).toBe(generation.cost);
  });

  it('say what a guardrail did, and lead to those alike', async () => {
    const page = await harness.visit(`/console/requests/${masked}`);
    await page.getByText('Masked', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Request' }).getByRole('link', { name: 'sandbox/chat' }).first().click();
    await page.waitForURL(/\/requests\?/);
    await waitForRows(page, 1);
    await page.getByText('Masked', { exact: true }).waitFor();
  });

  it('are narrowed by pointer to what has all that was chosen, which is a link and a file', async () => {
    const page = await harness.visit(path);
    await waitForRows(page, SENT);
    const add = async (by: string, value: string): Promise<void> => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      const form = page.getByRole('dialog', { name: 'Add a filter' });
      await form.getByLabel('Requests by').selectOption({ label: by });
      if (CHOSEN.includes(by)) await form.locator('select').nth(1).selectOption({ label: value });
      else await form.getByLabel('Value').fill(value);
      await form.getByRole('button', { name: 'Add' }).click();
      await form.waitFor({ state: 'detached' });
    };
    await add('Status', 'Every error');
    await waitForRows(page, FAILED);
    await page.getByRole('button', { name: /^Remove the filter Status/ }).click();
    await waitForRows(page, SENT);
    await add('End user', 'user-7');
    await add('Label', 'team=search');
    await add('Group', 'Research');
    await waitForRows(page, SERVED);

    const found = await readLines('end_user=user-7');
    await page.goto(page.url());
    await waitForRows(page, SERVED);
    const { name, bytes } = await download(page, () => page.getByRole('button', { name: 'Download CSV of requests' }).click());
    const [, ...rows] = bytes.toString().split('\r\n').filter(Boolean);
    expect([name, rows.map((row) => row.split(',')[0])]).toEqual(['requests.csv', found.map(({ id }) => id)]);
  });

  it('are narrowed by keyboard, by what they cost and by the beginning of an id', async () => {
    const page = await harness.visit(path);
    await waitForRows(page, SENT);
    const add = async (by: string, value: string): Promise<void> => {
      await pressAt(page, page.getByRole('button', { name: 'Filter', exact: true }));
      const form = page.getByRole('dialog', { name: 'Add a filter' });
      await typeInto(page, form.getByLabel('Requests by'), by);
      await typeInto(page, form.getByLabel('Value'), value);
      await page.keyboard.press('Enter');
    };
    const all = await readLines(path.split('?')[1] ?? '');
    const most = [...all].sort((one, other) => Number(other.cost) - Number(one.cost))[0]?.cost ?? '0';
    await add('Cost at l', 'much');
    await page.getByText('Write an amount of USD such as 0.05.').waitFor();
    await page.keyboard.press('Escape');
    await add('Cost at l', most);
    await waitForRows(page, all.filter(({ cost }) => Number(cost) >= Number(most)).length);
    await pressAt(page, page.getByRole('button', { name: /^Remove the filter Cost/ }));
    await waitForRows(page, SENT);
    await add('Request id', twice.slice(0, 13));
    await waitForRows(page, 1);
  });

  it('appear as they are counted, stand still when they are paused, and come when that ends', async () => {
    const page = await harness.visit('/console/requests?model=sandbox/chat-free');
    const { apiKey } = harness.gateway;
    const before = (await readLines('model=sandbox/chat-free')).length;
    await waitForRows(page, before);
    await ask('sandbox/chat-free', {}, apiKey);
    await waitForRows(page, before + 1);
    await page.getByText('new', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await isCounted(await ask('sandbox/chat-free', {}, apiKey));
    await page.waitForTimeout(POLL_MS);
    expect(await rowsOf(page).count()).toBe(before + 1);
    expect(page.url()).toContain('live=off');
    await pressAt(page, page.getByRole('button', { name: 'Go live' }));
    await waitForRows(page, before + 2);
  });

  it('are not there for another organization, nor what they used or who changed what', async () => {
    const weir = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
      const args = ['apps/operator/bin/weir.cjs', ...words, '--json'];
      const { stdout } = await runFile(process.execPath, args, { env: { PATH: process.env['PATH'], DATA_DIR: harness.gateway.dataDir } });
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const { organization_id: other } = await weir('organization', 'create', '--name', 'Other', '--email', 'eve@other.example');
    const made = await weir('key', 'create', '--organization', String(other), '--name', 'theirs', '--manage', 'write');
    const apiKey = String(made['api_key']);

    const page = await harness.visit('/console/requests', { apiKey });
    await page.getByText('No requests yet').waitFor();
    await page.goto(`/console/requests/${twice}`);
    await page.getByText('This is not there').waitFor();
    await page.goto('/console/');
    await page.getByText('No usage in this range').waitFor();
    const { audit } = (await harness.must('GET /v1/manage/audit?limit=1')) as { readonly audit: readonly [{ readonly id: string }] };
    await page.goto(`/console/audit?entry=${audit[0].id}`);
    await page.getByRole('dialog').getByText('This entry is not there').waitFor();
    expect(await page.content()).not.toContain('checkout');
  });
});
