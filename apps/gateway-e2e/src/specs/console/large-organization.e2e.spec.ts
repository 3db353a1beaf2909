import { describeWithRealParts, fillOrganization, getPostgres, type FilledOrganization } from '@weir/testing';
import type { Page } from 'playwright-core';
import type { CallHarness } from '../../harness/call-harness';
import { settle } from '../../harness/open-console';
import { addUsd } from '../../harness/price-by-hand';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const DAYS = 100;
const KEYS = 10_000;
const REQUESTS = 20_000;
const DAY_MS = 86_400_000;
const PICO_DIGITS = 12;

/** 100 days of an organization with 10,000 keys: what people look at is there within the patience of a person. */
describeWithRealParts(['browser'], 'the console of a large organization', () => {
  let postgres: Awaited<ReturnType<typeof getPostgres>>;
  let harness: ConsoleHarness;
  let call: CallHarness;
  let filled: FilledOrganization;
  let page: Page;
  const times: string[] = [];

  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await work();
    times.push(`${what} ${Math.round(performance.now() - startedAt)} ms`);
    return result;
  };

  beforeAll(async () => {
    postgres = await getPostgres();
    const databaseUrl = await postgres.createDatabase();
    harness = await startConsoleHarness({ DATABASE_URL: databaseUrl });
    ({ call } = harness);
    const { id: organizationId } = (await call('GET /v1/organization')).json['organization'] as { id: string };
    const size = { days: DAYS, keys: KEYS, members: 1_000, groups: 200, requests: REQUESTS };
    filled = await timed('filling', () => fillOrganization(databaseUrl, organizationId, size));
    page = await harness.visit('/console/');
    await settle(page);
  }, 240_000);
  afterAll(async () => {
    process.stderr.write(`a large organization: ${times.join(', ')}\n`);
    await harness.close();
    await postgres.stop();
  });

  it('shows the sums of all days, and they are what was used', async () => {
    const day = (at: number): string => new Date(filled.firstMs + at * DAY_MS).toISOString().slice(0, 10);
    await timed('overview of 100 days', async () => {
      await page.goto(`/console/?range=custom&from=${day(0)}&to=${day(DAYS - 1)}`);
      await page.getByRole('region', { name: 'Top keys' }).getByRole('listitem').nth(4).waitFor({ timeout: 60_000 });
      await page
        .getByRole('group', { name: /^Errors and times/ })
        .getByRole('link', { name: /the requests that failed/ })
        .waitFor({ timeout: 60_000 });
    });
    const range = `start=${day(0)}T00:00:00Z&end=${new Date(filled.firstMs + DAYS * DAY_MS).toISOString()}`;
    const usage = (await call(`GET /v1/manage/org/usage?${range}`)).json['usage'] as Record<string, { spend: string }>;
    expect(addUsd(Object.values(usage).map(({ spend }) => spend))).toBe(toUsd(filled.costPico));
    const { json } = await timed('errors and times', () => call(`GET /v1/manage/org/performance?${range}&group_by=api_key_id`));
    expect(json['total']).toMatchObject({ requests: filled.requests, errors: filled.errors });
    expect(await page.getByRole('group', { name: /^Sums/ }).innerText()).toContain(toUsd(filled.costPico).split('.')[0] ?? '');
  }, 120_000);

  it('cuts it by key, and lists every one', async () => {
    await timed('30 days by key', async () => {
      await page.goto('/console/?range=30d&cut=api_key_id');
      await page.getByRole('table', { name: 'By key' }).getByRole('row').nth(5).waitFor({ timeout: 60_000 });
    });
    const count = Number(await page.getByRole('table', { name: 'By key' }).getAttribute('aria-rowcount'));
    expect(count).toBeGreaterThan(1_000);
  }, 120_000);

  it('lists all keys, scrolls to the last, and finds one', async () => {
    await timed('list of keys', async () => {
      await page.goto('/console/keys');
      await page.getByRole('table', { name: 'Keys' }).getByText('service 00001', { exact: true }).waitFor({ timeout: 60_000 });
    });
    await timed('all keys', () => page.getByText(/^10,00\d keys\./).waitFor({ timeout: 60_000 }));
    const frame = page.getByRole('region', { name: 'Keys', exact: true });
    await timed('to the last key', async () => {
      await frame.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      await frame.getByText('service 10000', { exact: true }).waitFor({ timeout: 60_000 });
    });
    await timed('one key of them', async () => {
      await page.getByLabel('Search', { exact: true }).fill('service 04711');
      await page.getByText(/^1 of 10,00\d keys/).waitFor({ timeout: 60_000 });
    });
  }, 180_000);

  it.each([
    ['members', 'Members', /^1,00\d members/],
    ['groups', 'Groups', /^20\d groups/],
  ])(
    'lists all %s',
    async (path, name, count) => {
      await timed(`list of ${path}`, async () => {
        await page.goto(`/console/${path}`);
        await page.getByRole('table', { name }).getByRole('row').nth(5).waitFor({ timeout: 60_000 });
        await page.getByText(count).waitFor({ timeout: 60_000 });
      });
    },
    120_000,
  );

  it('lists requests, and more of them with every scroll', async () => {
    await timed('list of requests', async () => {
      await page.goto('/console/requests');
      await page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(5).waitFor({ timeout: 60_000 });
    });
    const frame = page.getByRole('region', { name: 'Requests', exact: true });
    for (let pages = 0; pages < 5; pages += 1) {
      const before = Number(await page.getByRole('table', { name: 'Requests' }).getAttribute('aria-rowcount'));
      await timed('next page', async () => {
        await frame.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
        await page
          .locator(`table[aria-rowcount="${before + 120}"]`)
          .first()
          .waitFor({ timeout: 60_000 });
      });
    }
    await harness.endVisits();
  }, 120_000);
});

function toUsd(pico: bigint): string {
  const text = String(pico).padStart(PICO_DIGITS + 1, '0');
  return `${text.slice(0, -PICO_DIGITS)}.${text.slice(-PICO_DIGITS)}`.replace(/\.?0+$/, '');
}
