import { describeWithRealParts, waitUntil } from '@weir/testing';
import { findHindrances, settle } from '../../harness/open-console';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const REQUESTS = 2;

describeWithRealParts(['browser'], 'the console of a key that may use models and nothing else', () => {
  let harness: ConsoleHarness;
  let apiKey: string;
  let apiKeyId: string;

  const chat = (key: string): Promise<unknown> =>
    harness.must('POST /v1/chat/completions', { model: 'sandbox/chat', messages: [{ role: 'user', content: 'hello' }] }, key);

  beforeAll(async () => {
    harness = await startConsoleHarness();
    const { member } = await harness.must('POST /v1/manage/org/member', { email: 'ben@acme.example' });
    const owner = { member_id: (member as { user_id: string }).user_id };
    const made = await harness.must('POST /v1/manage/apikey', { name: 'a program', monthly_limit: 20, ...owner });
    [apiKey, apiKeyId] = [String(made['api_key']), String(made['api_key_id'])];
    for (let index = 0; index < REQUESTS; index += 1) await chat(apiKey);
    await chat(harness.gateway.apiKey);
    await waitUntil(
      'the requests are counted',
      async () => ((await harness.must('GET /v1/generation', undefined, apiKey))['generations'] as unknown[]).length === REQUESTS,
    );
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  it('shows what it has used itself, and asks for nothing that it may not see', async () => {
    const page = await harness.arrive({ apiKey });
    const refused: string[] = [];
    page.on('response', (reply) => {
      if (reply.status() === 403) refused.push(reply.url());
    });
    await page.goto('/console/');
    await page.getByText('a program', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'This key' }).waitFor();
    const own = await harness.must('GET /v1/manage/apikey/self', undefined, apiKey);
    expect(own).toMatchObject({ id: apiKeyId, monthly_limit: 20, permissions: { manage: 'none' } });
    const sums = page.getByRole('group', { name: 'Sums of the range' });
    await sums.getByText(String(REQUESTS), { exact: true }).first().waitFor();
    await settle(page);
    expect(refused).toEqual([]);
  });

  it('leads to its own requests and the models alone, by the keyboard too', async () => {
    const page = await harness.visit('/console/', { apiKey });
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    expect(await navigation.getByRole('link').allInnerTexts()).toEqual(['Overview', 'Requests', 'Models', 'Playground', 'Limits']);
    await navigation.getByRole('link', { name: 'Requests' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await page.getByText(`${REQUESTS} requests`).waitFor();
    await navigation.getByRole('link', { name: 'Models' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
    await page.getByText('sandbox/chat').first().waitFor();
  });

  it.each(['light', 'dark'] as const)('hinders no one: %s', async (theme) => {
    const page = await harness.visit('/console/', { apiKey, theme, width: 390 });
    await page.getByText('a program', { exact: true }).waitFor();
    await settle(page);
    expect(await findHindrances({ page })).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});
