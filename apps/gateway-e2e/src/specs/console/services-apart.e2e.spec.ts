import { createTopics } from '@weir/kafka';
import { describeWithRealParts } from '@weir/testing';
import type { Page } from 'playwright-core';
import { createCallHarness, type CallHarness } from '../../harness/call-harness';
import { openConsoleBrowser, signIn, type ConsoleBrowser, type Visit } from '../../harness/open-console';
import { startDistributed, type DistributedHarness } from '../../harness/start-distributed';
import { takeRealParts, type TakenParts } from '../../harness/take-real-parts';

/** Each job once, where management, edge, workers and books are processes of their own. */
describeWithRealParts(['browser', 'postgres', 'redis', 'kafka'], 'the console of services apart, in a browser', () => {
  let harness: DistributedHarness;
  let parts: TakenParts;
  let browser: ConsoleBrowser;
  let visit: Visit;
  let page: Page;
  let call: CallHarness;
  let requestId = '';

  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    harness = await startDistributed(parts);
    call = createCallHarness(harness);
    browser = await openConsoleBrowser({ url: harness.managementUrl });
    visit = await browser.visit();
    ({ page } = visit);
    await signIn(visit, harness.apiKey);
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await harness.stop();
    await parts.stop();
  }, 60_000);
  afterEach(() => expect(visit.faults).toEqual([]));

  it('makes a key at management that the edge knows', async () => {
    await page.goto('/console/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('apart');
    await dialog.getByLabel('Limit of the key a month').fill('50');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const secret = (await dialog.locator('.administration-secret code').innerText()).trim();
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    expect((await call('GET /v1/auth/check', undefined, { authorization: `Bearer ${secret}` })).status).toBe(200);
  });

  it('streams a reply from a worker into the playground, with what it cost', async () => {
    await page.goto('/console/playground?model=sandbox/chat');
    await page.getByLabel('Prompt', { exact: true }).fill('!tokens 12 please');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const link = page.getByRole('link', { name: 'This request' });
    await link.waitFor();
    requestId = ((await link.getAttribute('href')) ?? '').split('/').at(-1) ?? '';
    await page.getByText('word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12').first().waitFor();
  });

  it('shows the request, when the books have it, in the list, by itself and in the sums', async () => {
    await page.goto('/console/requests');
    await page.getByRole('table', { name: 'Requests' }).locator('tbody tr').first().waitFor({ timeout: 60_000 });
    await page.goto(`/console/requests/${requestId}`);
    const { generation } = (await call(`GET /v1/generation/${requestId}`)).json as { generation: { cost: string } };
    await page.getByText(`$${generation.cost}`, { exact: true }).first().waitFor();
    await page.goto('/console/');
    const top = page.getByRole('region', { name: 'Top models', exact: true }).getByRole('listitem').first();
    await top.getByText('sandbox/chat').waitFor();
  }, 90_000);

  it('has models, and plans a request at the edge', async () => {
    await page.goto('/console/models?q=sandbox/chat-free');
    await page.getByRole('row', { name: /sandbox\/chat-free/ }).waitFor();
    await page.goto('/console/rules?tab=plan&model=sandbox/chat');
    await page.getByRole('heading', { name: 'It would be served' }).waitFor();
  });

  it('makes a group, a member and a guardrail', async () => {
    await call('POST /v1/manage/group', { name: 'Research', monthly_limit: 100 });
    await call('POST /v1/manage/org/member', { email: 'ben@acme.example' });
    await call('POST /v1/manage/guardrail', { name: 'Addresses', detectors: ['email'], action: 'mask', stage: 'input' });
    await page.goto('/console/groups');
    await page.getByRole('row', { name: /Research/ }).waitFor();
    await page.goto('/console/members');
    await page.getByRole('row', { name: /ben@acme\.example/ }).waitFor();
    await page.goto('/console/rules?tab=guardrails');
    await page.getByRole('row', { name: /Addresses/ }).waitFor();
  });

  it('shows providers as both workers see them', async () => {
    await page.goto('/console/providers/sandbox');
    await page.getByText('working', { exact: true }).first().waitFor({ timeout: 30_000 });
    const { processes } = (await call('GET /v1/manage/provider')).json as { processes: number };
    expect(processes).toBe(2);
  }, 40_000);

  it('shows the ledger, verifies the audit log, and finds a key', async () => {
    await page.goto('/console/money');
    await page.getByText('Usage of an hour').first().waitFor({ timeout: 30_000 });
    await page.goto('/console/audit');
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText('whole', { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everywhere' }).fill('apart');
    await page.getByRole('option', { name: 'apart' }).first().click();
    await page.waitForURL(/\/keys\?search=apart/);
  }, 60_000);
});
