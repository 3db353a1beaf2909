import { describeWithRealParts, waitUntil } from '@weir/testing';
import { findHindrances, openConsoleBrowser, signIn, type ConsoleBrowser, type Visit } from '../../harness/open-console';
import { startStandalone, type Harness } from '../../harness/start-standalone';

const REQUESTS = 2;

describeWithRealParts(['browser'], 'the console of a key that may use models and nothing else', () => {
  let harness: Harness;
  let browser: ConsoleBrowser;
  let apiKey: string;
  let apiKeyId: string;
  const visits: Visit[] = [];

  const call = async (key: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await (await fetch(`${harness.url}${path}`, sent)).json()) as Record<string, unknown>;
  };
  const chat = (key: string): Promise<unknown> =>
    call(key, '/v1/chat/completions', { model: 'sandbox/chat', messages: [{ role: 'user', content: 'hello' }] });

  beforeAll(async () => {
    harness = await startStandalone();
    browser = await openConsoleBrowser(harness);
    const { member } = await call(harness.apiKey, '/v1/manage/org/member', { email: 'ben@acme.example' });
    const owner = { member_id: (member as { user_id: string }).user_id };
    const made = await call(harness.apiKey, '/v1/manage/apikey', { name: 'a program', monthly_limit: 20, ...owner });
    [apiKey, apiKeyId] = [String(made['api_key']), String(made['api_key_id'])];
    for (let index = 0; index < REQUESTS; index += 1) await chat(apiKey);
    await chat(harness.apiKey);
    await waitUntil(
      'the requests are counted',
      async () => ((await call(apiKey, '/v1/generation'))['generations'] as unknown[]).length === REQUESTS,
    );
  }, 120_000);
  afterEach(async () => {
    for (const { context, faults } of visits.splice(0)) {
      await context.close();
      expect(faults).toEqual([]);
    }
  });
  afterAll(async () => {
    await browser.close();
    await harness.process.terminate();
  });
  const enter = async (options?: Parameters<ConsoleBrowser['visit']>[0]): Promise<Visit & { readonly refused: readonly string[] }> => {
    const made = await browser.visit(options);
    visits.push(made);
    const refused: string[] = [];
    made.page.on('response', (reply) => {
      if (reply.status() === 403) refused.push(reply.url());
    });
    await made.page.goto('/console/');
    await made.page.getByLabel('API key').fill(apiKey);
    await made.page.keyboard.press('Enter');
    await made.page.getByText('a program', { exact: true }).waitFor();
    return Object.assign(made, { refused });
  };

  it('shows what it has used itself, and asks for nothing that it may not see', async () => {
    const { page, refused } = await enter();
    await page.getByRole('heading', { level: 2, name: 'This key' }).waitFor();
    const own = await call(apiKey, '/v1/manage/apikey/self');
    expect(own).toMatchObject({ id: apiKeyId, monthly_limit: 20, permissions: { manage: 'none' } });
    const sums = page.getByRole('group', { name: 'Sums of the range' });
    await sums.getByText(String(REQUESTS), { exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(refused).toEqual([]);
  });

  it('leads to its own requests and the models alone, by the keyboard too', async () => {
    const visited = await browser.visit();
    visits.push(visited);
    await signIn(visited, apiKey);
    const { page } = visited;
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    expect(await navigation.getByRole('link').allInnerTexts()).toEqual(['Overview', 'Requests', 'Models', 'Playground']);
    await navigation.getByRole('link', { name: 'Requests' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await page.getByText(`${REQUESTS} requests`).waitFor();
    await navigation.getByRole('link', { name: 'Models' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
    await page.getByText('sandbox/chat').first().waitFor();
  });

  it.each(['light', 'dark'] as const)('hinders no one: %s', async (theme) => {
    const seen = await enter({ theme, width: 390 });
    await seen.page.waitForLoadState('networkidle');
    expect(await findHindrances(seen)).toEqual([]);
    expect(await seen.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});
