import { describeWithRealParts, waitUntil } from '@weir/testing';
import type { Page } from 'playwright-core';
import type { CallHarness } from '../../harness/call-harness';
import { pressAt, readClipboard, tabTo } from '../../harness/browser-steps';
import { findHindrances, settle } from '../../harness/open-console';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const QUESTION = 'What is <b>kept</b> of this?';
const SHOW = 'Show what was sent and returned';

describeWithRealParts(['browser'], 'contents of requests in the console', () => {
  let harness: ConsoleHarness;
  let call: CallHarness;
  let reader: string;
  /** Requests whose contents are kept: whole and streamed. */
  let whole: string;
  let streamed: string;
  /** From before contents were kept. */
  let early: string;

  const hindrances = (page: Page): Promise<string[]> => findHindrances({ page });
  const daysSet = async (): Promise<unknown> =>
    ((await call('GET /v1/manage/org')).json['organization'] as Record<string, unknown>)['keep_contents_days'];
  const ask = async (more: object = {}): Promise<string> => {
    const reply = await call('POST /v1/chat/completions', {
      model: 'sandbox/chat',
      messages: [{ role: 'user', content: QUESTION }],
      ...more,
    });
    const id = reply.headers['x-request-id'] ?? '';
    await waitUntil('the request is counted', async () => (await call(`GET /v1/generation/${id}`)).status === 200);
    return id;
  };
  const readings = async (id: string): Promise<number> => {
    const { json } = await call('GET /v1/manage/audit?limit=1000');
    const lines = json['audit'] as { readonly action: string; readonly target: { readonly id: string } }[];
    return lines.filter(({ action, target }) => action === 'read-contents' && target.id === id).length;
  };
  const isKept = async (id: string): Promise<boolean> =>
    (await call(`GET /v1/manage/generation/${id}/content`, undefined, { authorization: `Bearer ${reader}` })).status === 200;

  beforeAll(async () => {
    harness = await startConsoleHarness();
    ({ call } = harness);
    const permissions = { manage: 'read', completions: 'write', contents: 'read' };
    reader = String((await call('POST /v1/manage/apikey', { name: 'reader', permissions })).json['api_key']);
    early = await ask();
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  it('are said not to be kept while they are not, and by whom that can be changed', async () => {
    const page = await harness.visit(`/console/requests/${early}`, { apiKey: reader });

    await page.getByText('Contents of requests are not kept.').waitFor();
    await page.getByRole('button', { name: SHOW }).click();
    await page.getByText('No contents of this request are kept').waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  it('are kept once an administrator turns it on, by pointer, among the data rules', async () => {
    const page = await harness.visit('/console/rules?tab=data');
    await page.getByRole('heading', { name: 'Contents of requests' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await page.getByLabel('Keep contents').selectOption('7');
    await page.getByRole('heading', { name: 'Contents of requests' }).locator('..').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Contents of requests are kept for 7 days').waitFor();

    expect(await daysSet()).toBe(7);
  });

  it('are shown by pointer, in words, with a line for a shell, and open in the playground', async () => {
    await waitUntil('contents are kept', async () => {
      whole = await ask();
      return isKept(whole);
    });
    const before = await readings(whole);
    const page = await harness.visit(`/console/requests/${whole}`, { apiKey: reader });
    await settle(page);
    expect(await readings(whole)).toBe(before);

    await page.getByRole('button', { name: SHOW }).click();
    await page.getByRole('heading', { name: 'Sent' }).waitFor();

    expect(await page.locator('.contents-text').first().textContent()).toBe(QUESTION);
    expect(await page.locator('.contents-text').count()).toBe(2);
    expect(await readings(whole)).toBe(before + 1);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').first().waitFor();
    const curl = await readClipboard(page);
    expect(curl).toContain(`curl ${harness.gateway.url}/v1/chat/completions`);
    expect(curl).toContain('Authorization: Bearer $WEIR_API_KEY');
    expect(curl).toContain(QUESTION);
    expect(curl).not.toContain(reader);
    await page.getByRole('button', { name: 'Run again in the playground' }).click();
    await page.waitForURL('**/console/playground**');
    await page.getByText(QUESTION).first().waitFor();
  });

  it('are shown by keyboard, of a stream put together again, in both themes and on a phone', async () => {
    streamed = await ask({ stream: true });
    await waitUntil('they are kept', () => isKept(streamed));
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      const page = await harness.visit(`/console/requests/${streamed}`, { apiKey: reader, theme, width });
      const before = await readings(streamed);
      await pressAt(page, page.getByRole('button', { name: SHOW }));
      await page.getByRole('heading', { name: 'Returned' }).waitFor();

      expect(await readings(streamed)).toBe(before + 1);
      const reply = (await page.locator('.contents-text').last().textContent()) ?? '';
      expect(reply.length).toBeGreaterThan(10);
      expect(reply).not.toContain('data:');
      await pressAt(page, page.locator('.contents-raw summary').last());
      expect(await page.getByLabel('Returned, as it went over the wire').textContent()).toContain('data: [DONE]');
      expect(await hindrances(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    }
  });

  it('are out of sight of a key without the permission, which administrators give when they make one', async () => {
    const page = await harness.visit(`/console/requests/${whole}`);
    await page.getByText('contents: read').waitFor();
    expect(await page.getByRole('button', { name: SHOW }).count()).toBe(0);
    expect(await hindrances(page)).toEqual([]);

    await page.goto('/console/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('auditor');
    await page.getByText('Owner, expiry, labels, access list, permissions').click();
    await page.getByLabel('Contents of requests').selectOption('read');
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('button', { name: 'I have kept it' }).click();

    const { json } = await call('GET /v1/manage/apikey?limit=100');
    const keys = json['keys'] as { readonly name: string; readonly permissions: object }[];
    expect(keys.find(({ name }) => name === 'auditor')?.permissions).toEqual({ manage: 'none', completions: 'write', contents: 'read' });
    await page.getByText('uses models, reads contents').first().waitFor();
  });

  it('are kept no more once an administrator turns it off, by keyboard, who is asked once', async () => {
    const page = await harness.visit('/console/rules?tab=data', { theme: 'dark' });
    const days = page.getByLabel('Keep contents');
    await tabTo(page, days);
    await page.keyboard.press('Home');
    expect(await days.inputValue()).toBe('off');
    await pressAt(page, page.getByRole('heading', { name: 'Contents of requests' }).locator('..').getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { name: 'Keep no contents any more?' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    expect(await daysSet()).toBe(7);
    await pressAt(page, page.getByRole('button', { name: 'Delete what is kept' }));
    await page.getByText('Contents of requests are kept no more').waitFor();

    expect(await daysSet()).toBe(null);
    expect(await isKept(whole)).toBe(false);
  });
});
