import { describeWithRealParts, startFakeUpstream, type FakeUpstream } from '@weir/testing';
import type { Locator, Page } from 'playwright-core';
import type { CallHarness } from '../../harness/call-harness';
import { pointAt } from '../../harness/client-harness';
import { ANTHROPIC, OPENAI } from '../../harness/create-routes';
import { pressAt } from '../../harness/browser-steps';
import { findHindrances } from '../../harness/open-console';
import { addUsd } from '../../harness/price-by-hand';
import { waitForRequests } from '../../harness/read-usage';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const DAY_MS = 86_400_000;
const SERVED = 4;
const FAILED = 2;
const CHEAP = 3;

type Entry = { readonly spend: string; readonly total_requests: number };
type Grouped = Entry & { readonly group_by_values: Readonly<Record<string, string>> };
type Line = { readonly id: string; readonly cost: string; readonly status: string; readonly milliseconds: number };
type Total = { readonly requests: number; readonly errors: number; readonly milliseconds: { readonly p95: number } };

/** Job 1 as people have it: "which model cost us most this week, and who used it", down to the single requests. */
describeWithRealParts(['browser'], 'the overview', () => {
  let upstream: FakeUpstream;
  let harness: ConsoleHarness;
  let call: CallHarness;
  let costly: { readonly id: string; readonly secret: string };

  const makeKey = async (name: string): Promise<{ id: string; secret: string }> => {
    const { json } = await call('POST /v1/manage/apikey', { name, permissions: { completions: 'write' } });
    return { id: String(json['api_key_id']), secret: String(json['api_key']) };
  };
  const ask = (model: string, secret: string): Promise<unknown> =>
    call(
      'POST /v1/chat/completions',
      { model, max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] },
      { authorization: `Bearer ${secret}` },
    );

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    harness = await startConsoleHarness(pointAt(upstream));
    ({ call } = harness);
    costly = await makeKey('checkout');
    const cheap = await makeKey('search');
    for (let count = 0; count < SERVED; count += 1) await ask(ANTHROPIC, costly.secret);
    for (let count = 0; count < CHEAP; count += 1) await ask(OPENAI, cheap.secret);
    for (let count = 0; count < FAILED; count += 1) {
      upstream.reply({ status: 400, body: { error: { message: 'no' } } }, { when: () => true, times: 1 });
      await ask(OPENAI, cheap.secret);
    }
    await waitForRequests(harness.gateway, SERVED + CHEAP + FAILED);
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(async () => {
    await harness.close();
    await upstream.stop();
  });

  /** As the page has it when nothing was chosen: seven days, today the last of them. */
  const week = (): string => `start=${new Date((Math.floor(Date.now() / DAY_MS) - 6) * DAY_MS).toISOString()}&end=${nextHour()}`;
  const readGroups = async (query: string): Promise<readonly Grouped[]> => {
    const { json } = await call(`GET /v1/manage/org/usage?${week()}&resolution=month&${query}`);
    return Object.values(json['usage'] as Record<string, { grouped_data: Grouped[] }>).flatMap((period) => period.grouped_data);
  };
  const readTotal = async (query = ''): Promise<Total> =>
    (await call(`GET /v1/manage/org/performance?${week()}${query}`)).json['total'] as Total;
  const readLines = async (query: string): Promise<readonly Line[]> =>
    (await call(`GET /v1/generation?limit=200&${week()}&${query}`)).json['generations'] as Line[];

  const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
  const rowsOf = (page: Page): Locator => page.getByRole('table', { name: 'Requests' }).locator('tbody tr');

  const waitForRows = async (page: Page, count: number): Promise<void> => {
    await rowsOf(page)
      .nth(count - 1)
      .waitFor();
    expect(await rowsOf(page).count()).toBe(count);
  };

  it('leads by pointer from the sum to the requests it is made of, and every digit agrees with the interface', async () => {
    const [most] = await readGroups('group_by=model_used');
    const page = await harness.visit('/console/');

    const top = panel(page, 'Top models').getByRole('listitem').first();
    await top.getByRole('link').click();
    expect(await top.innerText()).toContain('claude');
    await page.waitForURL(/filter=/);
    const who = panel(page, 'Top keys').getByRole('listitem').first();
    await who.getByText('checkout').waitFor();
    expect(await readExactly(who)).toBe(`$${most?.spend ?? ''}`);

    await page.getByRole('link', { name: 'Requests of the range', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await waitForRows(page, most?.total_requests ?? 0);
    const lines = await readLines(`model=${encodeURIComponent(most?.group_by_values['model_used'] ?? '')}`);
    expect(addUsd(lines.map(({ cost }) => cost))).toBe(most?.spend);

    await rowsOf(page).first().getByRole('link').first().click();
    await page
      .getByText(lines[0]?.id ?? 'none', { exact: false })
      .first()
      .waitFor();
  });

  it('leads there by the keyboard alone as well', async () => {
    const page = await harness.visit('/console/');
    await page.getByRole('region', { name: 'Top models' }).getByRole('listitem').first().waitFor();

    await pressAt(page, panel(page, 'Top models').getByRole('listitem').first().getByRole('link'));
    await page.waitForURL(/filter=/);
    await panel(page, 'Top keys').getByText('checkout').waitFor();
    await pressAt(page, panel(page, 'Top keys').getByRole('listitem').first().getByRole('link'));
    await page.waitForURL(new RegExp(costly.id));
    await pressAt(page, page.getByRole('link', { name: 'Requests of the range', exact: true }));
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await waitForRows(page, SERVED);
    await pressAt(page, rowsOf(page).first().getByRole('link').first());
    await page.waitForURL(/\/requests\/[^?]/);
  });

  it('shows errors and times as the interface has them, and leads to the requests that failed and to the slow ones', async () => {
    const total = await readTotal();
    expect(total).toMatchObject({ requests: SERVED + CHEAP + FAILED, errors: FAILED });
    const page = await harness.visit('/console/');
    const tiles = page.getByRole('group', { name: /^Errors and times/ });

    await tiles.getByRole('link', { name: /the requests that failed/ }).click();
    await waitForRows(page, FAILED);
    await page.goBack();
    await tiles
      .getByRole('link', { name: /or more/ })
      .last()
      .click();
    await page.waitForURL(/min_ms=/);
    expect(new URL(page.url()).searchParams.get('min_ms')).toBe(String(total.milliseconds.p95));
    const slow = await readLines(`min_ms=${total.milliseconds.p95}`);
    expect(slow.length).toBeGreaterThan(0);
    await waitForRows(page, slow.length);
  });

  it('draws and lists the figure that was chosen, and gives the list as a file with every digit', async () => {
    const page = await harness.visit('/console/');

    await pressAt(page, page.getByRole('button', { name: 'Errors', exact: true }));
    await page.getByRole('heading', { name: 'Errors by model' }).waitFor();
    const table = page.getByRole('table', { name: 'Errors and times by model' });
    await table.getByRole('row').nth(1).getByText('gpt').waitFor();
    expect(await findHindrances({ page })).toEqual([]);

    await page.getByRole('button', { name: 'Spend', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV of usage-by-model_used' }).click();
    const stream = await (await download).createReadStream();
    const file = Buffer.concat(await stream.toArray()).toString('utf8');
    const [most] = await readGroups('group_by=model_used');
    expect(file.split('\r\n')[1]).toMatch(new RegExp(`^[^,]*claude[^,]*,[^,]*,${(most?.spend ?? '').replace('.', '\\.')}0*,${SERVED},`));
  });

  it('says so where nothing was used', async () => {
    const page = await harness.visit('/console/?range=custom&from=2026-01-01&to=2026-01-02&measure=p95');
    await page.getByText('No usage in this range').waitFor();
    await page.getByRole('button', { name: 'Latency, p95' }).waitFor();
    expect(await findHindrances({ page })).toEqual([]);
  });
});

function nextHour(): string {
  return new Date((Math.floor(Date.now() / 3_600_000) + 1) * 3_600_000).toISOString();
}

/** What is said to those who cannot see: every digit. */
async function readExactly(where: Locator): Promise<string | null> {
  return where.locator('.number .visually-hidden').first().textContent();
}
