import { describeWithRealParts } from '@weir/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { waitForRequests } from '../../harness/read-usage';
import { download, pressAt, readClipboard, typeInto } from '../../harness/browser-steps';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

type Alert = {
  readonly scope: string;
  readonly amount: string | null;
  readonly url: string | null;
  readonly channel: string;
  readonly target: string;
};

const runFile = promisify(execFile);
const CHAT = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] };
/** Public, and never called: no bound is reached here. */
const URL_CALLED = 'https://93.184.216.34/weir';
const REQUESTS = 2;
const ZIP = 'PK';

describeWithRealParts(['browser'], 'money in the console', () => {
  let harness: ConsoleHarness;
  let organization: string;
  let apiKeyId: string;

  beforeAll(async () => {
    harness = await startConsoleHarness({ AUTO_TOP_UP: 'recorded', FETCH_PRIVATE_NETWORKS: '127.0.0.0/8' });
    organization = ((await harness.must('GET /v1/manage/org'))['organization'] as { id: string }).id;
    await addMoney('25.50');
    for (let index = 0; index < REQUESTS; index += 1) await harness.must('POST /v1/chat/completions', CHAT);
    await waitForRequests(harness.gateway, REQUESTS);
    apiKeyId = ((await harness.must('GET /v1/manage/apikey/self'))['key'] as { id: string }).id;
  });
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  async function addMoney(usd: string): Promise<void> {
    const args = ['apps/operator/bin/weir.cjs', 'balance', 'add', '--organization', organization, '--amount', usd];
    await runFile(process.execPath, args, { env: { PATH: process.env['PATH'], DATA_DIR: harness.gateway.dataDir } });
  }
  const readAlerts = async (): Promise<readonly Alert[]> => (await harness.must('GET /v1/manage/alert'))['alerts'] as Alert[];
  const openAlerts = async (): Promise<Page> => {
    const page = await harness.visit('/console/money?tab=alerts');
    await page.getByRole('heading', { name: 'Alerts' }).waitFor();
    return page;
  };

  it('the balance and every line of the ledger are those of the interface, on the page and in the file', async () => {
    const page = await harness.visit('/console/money');
    const { history } = (await harness.must('GET /v1/manage/balance/history')) as {
      readonly history: readonly { readonly id: string; readonly amount: string; readonly kind: string }[];
    };
    expect(history.some(({ amount, kind }) => kind === 'top_up' && Number(amount) === 25.5)).toBe(true);
    await page.getByRole('row', { name: /Top-up/ }).waitFor();
    const { name, bytes } = await download(page, () => page.getByRole('button', { name: 'Download CSV of ledger' }).click());
    const [head = '', ...lines] = bytes.toString().split('\r\n').filter(Boolean);
    expect([name, head]).toEqual(['ledger.csv', 'id,at,kind,amount_usd,note']);
    expect(lines.map((line) => [line.split(',')[0], line.split(',')[3]])).toEqual(history.map(({ id, amount }) => [id, amount]));

    await page.getByRole('button', { name: 'Copy the list of ledger' }).click();
    await page.getByText(/^Copied \d+ row/).waitFor();
    expect((await readClipboard(page)).split('\r\n')[0]).toBe('id\tat\tkind\tamount_usd\tnote');
  });

  it('automatic top-up is set by keyboard, and what cannot be is not sent', async () => {
    const page = await harness.visit('/console/money');
    const dialog = page.getByRole('dialog');
    await pressAt(page, page.getByRole('button', { name: 'Change', exact: true }));
    await typeInto(page, dialog.getByLabel('When the balance is below'), '5');
    await typeInto(page, dialog.getByLabel('Add, in USD'), '20');
    await typeInto(page, dialog.getByLabel('At most a month'), '10');
    await page.keyboard.press('Enter');
    await dialog.getByText('Is not valid: must be at least `amount`.').waitFor();
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await page.getByText('Automatic top-up was changed.').waitFor();
    const { auto_top_up: setting } = (await harness.must('GET /v1/manage/balance/auto-top-up')) as { auto_top_up: Record<string, unknown> };
    expect([setting['enabled'], ...['threshold', 'amount', 'monthly_cap'].map((field) => Number(setting[field]))]).toEqual([
      ...[true, 5, 20, 100],
    ]);
  });

  it('an alert is made by pointer, its secret shown once, and deleted', async () => {
    const page = await openAlerts();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New alert' }).click();
    await dialog.getByLabel('Watches').selectOption('key');
    await dialog.getByRole('button', { name: 'Create the alert' }).click();
    await dialog.getByText('Choose one.').waitFor();
    await dialog.getByText('Must be an address such as https://example.com.').waitFor();
    await dialog.getByLabel('Key', { exact: true }).selectOption(apiKeyId);
    await dialog.getByLabel('Spent in a month').fill('1,000.000000000001');
    await dialog.getByLabel('Address to call').fill(URL_CALLED);
    await dialog.getByRole('button', { name: 'Create the alert' }).click();
    await page.getByRole('heading', { name: 'The secret of the alert' }).waitFor();
    const secret = (await dialog.locator('.administration-secret code').innerText()).trim();
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText(URL_CALLED).waitFor();
    expect([secret.length > 10, (await page.content()).includes(secret)]).toEqual([true, false]);
    const [made] = await readAlerts();
    expect({ ...made, amount: Number(made?.amount) }).toMatchObject({ scope: 'key', amount: 1000.000000000001, url: URL_CALLED });

    await deleteAlert(page);
    expect(await readAlerts()).toEqual([]);
  });

  it('an alert about the balance is made by keyboard alone', async () => {
    const page = await openAlerts();
    const dialog = page.getByRole('dialog');
    await pressAt(page, page.getByRole('button', { name: 'New alert' }));
    await typeInto(page, dialog.getByLabel('At or below, in USD'), '5');
    await typeInto(page, dialog.getByLabel('Address to call'), URL_CALLED);
    await page.keyboard.press('Enter');
    await pressAt(page, dialog.getByRole('button', { name: 'I have kept it' }));
    await page.getByText('The balance').first().waitFor();
    expect((await readAlerts()).map(({ scope, amount }) => [scope, Number(amount)])).toEqual([['balance', 5]]);
    await deleteAlert(page);
    expect(await readAlerts()).toEqual([]);
  });

  it('unusual hours are reported as a message; the alert is tried and changed, and its address never shown again', async () => {
    const page = await openAlerts();
    const dialog = page.getByRole('dialog');
    const host = 'http://127.0.0.1/…';
    await page.getByRole('button', { name: 'New alert' }).click();
    await dialog.getByLabel('Watches').selectOption('anomaly');
    await dialog.getByLabel('Only hours of at least').fill('2.50');
    await dialog.getByRole('button', { name: 'Slack' }).click();
    await dialog.getByLabel('Address to call').fill('http://127.0.0.1/of-a-channel');
    await dialog.getByRole('button', { name: 'Create the alert' }).click();
    await page.getByText('An hour is far above the usual').waitFor();
    expect(await page.content()).not.toContain('of-a-channel');
    expect(await readAlerts()).toMatchObject([{ scope: 'anomaly', min_amount: '2.5', channel: 'slack', target: host, url: null }]);

    const row = page.getByRole('row').filter({ hasText: host });
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await typeInto(page, dialog.getByLabel('Again after, in hours'), '12');
    await dialog.getByLabel('Report also when it is over').check();
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Change the alert' }).press('Enter');
    await page.getByText('again every 12 hours and when it is over').waitFor();
    expect(await readAlerts()).toMatchObject([{ repeat_hours: 12, notify_recovery: true, min_amount: '2.5', target: host }]);

    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await pressAt(page, dialog.getByRole('button', { name: 'Send a test' }));
    // No one listens there.
    await dialog.getByText(/It was not taken|Nothing sent it yet/).waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Delete the alert' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the alert' }).click();
    await page.getByText('No alerts yet').waitFor();
    expect(await readAlerts()).toEqual([]);
  });

  async function deleteAlert(page: Page): Promise<void> {
    const row = page.getByRole('row').filter({ hasText: URL_CALLED });
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'What it has reported' }).click();
    await page.getByText('Nothing yet').waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Delete the alert' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the alert' }).click();
    await page.getByText('No alerts yet').waitFor();
  }

  it('the files of a month are three clicks away, and are those of the interface', async () => {
    const page = await harness.visit('/console/');
    await page.getByRole('link', { name: 'Money' }).click();
    await page.getByRole('tab', { name: 'Month close and files' }).click();
    const period = new Date().toISOString().slice(0, 7);
    const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date());
    const save = (label: string) => download(page, () => page.getByRole('link', { name: `${label} of ${month}` }).click());
    for (const [label, format] of [
      ['CSV', 'csv'],
      ['FOCUS', 'focus'],
    ] as const) {
      const { name, bytes } = await save(label);
      const direct = await harness.call(`GET /v1/manage/org/usage/export?period=${period}&format=${format}`);
      expect([name.endsWith('.csv'), bytes.toString()]).toEqual([true, direct.text]);
    }
    const { name, bytes } = await save('xlsx');
    expect([name.endsWith('.xlsx'), bytes.subarray(0, 2).toString()]).toEqual([true, ZIP]);
  });

  it('a month says whether it can be booked, as the report of the interface does', async () => {
    const period = new Date().toISOString().slice(0, 7);
    const page = await harness.visit(`/console/money?tab=months&month=${period}`);
    await page.getByText(/Still running|Not complete/).waitFor();
    const { reconciliation } = (await harness.must(`GET /v1/manage/reconciliation?month=${period}`)) as {
      readonly reconciliation: { readonly places: readonly { readonly place: string; readonly requests: number | null }[] };
    };
    const events = reconciliation.places.find(({ place }) => place === 'events');
    const row = page.getByRole('row', { name: /Events: every request/ });
    expect(await row.getByRole('cell').nth(1).innerText()).toBe(String(events?.requests));
  });

  it('is no one’s but the administrators’', async () => {
    const { api_key: apiKey } = await harness.must('POST /v1/manage/apikey', { name: 'infers', permissions: { manage: 'none' } });
    const page = await harness.visit('/console/models', { apiKey: String(apiKey) });
    expect(await page.getByRole('link', { name: 'Money' }).count()).toBe(0);
    for (const tab of ['', '?tab=alerts', '?tab=months']) {
      await page.goto(`/console/money${tab}`);
      await page.getByText('Your key does not allow this').first().waitFor();
      expect(await page.getByRole('button', { name: /New alert|^Change$/ }).count()).toBe(0);
    }
    for (const route of ['GET /v1/manage/balance', 'GET /v1/manage/alert', 'GET /v1/manage/org/usage/export?period=2026-10'])
      expect(await harness.refuse(route, undefined, String(apiKey))).toEqual([403, 'permission_denied']);
  });
});
