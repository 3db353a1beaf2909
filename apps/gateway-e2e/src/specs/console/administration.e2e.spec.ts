import { describeWithRealParts, waitUntil } from '@weir/testing';
import type { Locator, Page } from 'playwright-core';
import { findHindrances, settle } from '../../harness/open-console';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const HOSTILE = '"><img src=x onerror=alert(1)>';
const OWN_SECRET = 'sk-own-secret-of-the-tests-0123';

type Json = Record<string, unknown>;

describeWithRealParts(['browser'], 'the console: providers, audit, search', () => {
  let harness: ConsoleHarness;

  const credentials = async (): Promise<Json[]> =>
    (await harness.must('GET /v1/manage/provider-credential'))['provider_credentials'] as Json[];
  const chat = (model: string) => harness.call('POST /v1/chat/completions', { model, messages: [{ role: 'user', content: 'hello' }] });

  beforeAll(async () => {
    // Where no one listens: what is sent there fails.
    harness = await startConsoleHarness({ GROQ_API_KEY: 'sk-of-the-gateway', GROQ_BASE_URL: 'http://127.0.0.1:9/v1' });
    await harness.must('POST /v1/manage/group', { name: 'Research' });
    await harness.must('POST /v1/manage/apikey', { name: HOSTILE, labels: { team: 'research' } });
    for (let index = 0; index < 30; index += 1) await harness.must('POST /v1/manage/apikey', { name: `crawler ${index}` });
    await harness.must('POST /v1/manage/org/member', { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' });
    await harness.must('POST /v1/manage/policy', { name: 'cheap-first', strategy: 'fallback', models: ['sandbox/chat'] });
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  describe('providers', () => {
    it('shows which are set up, what the others need, and who says so', async () => {
      const page = await harness.visit('/console/providers');
      await page.getByText('As the one process sees it').waitFor();
      await page.getByLabel('Search', { exact: true }).fill('bedrock');
      await page.getByRole('link', { name: 'Amazon Bedrock', exact: true }).click();
      await page.getByText('To set it up for everyone').waitFor();
      await page.getByText('AWS_SECRET_ACCESS_KEY', { exact: true }).waitFor();
      await page.getByText('not set up', { exact: true }).waitFor();
    });

    it('shows what routing leaves out, as soon as it does', async () => {
      const page = await harness.visit('/console/providers/groq');
      const { data } = (await harness.must('GET /v1/models/chat')) as { data: { id: string }[] };
      const model = data.find(({ id }) => id.startsWith('groq/'))?.id ?? '';
      for (let index = 0; index < 6; index += 1) await chat(model);
      await page.getByText('left out', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: model, exact: true }).waitFor();
      const { providers } = (await harness.must('GET /v1/manage/provider')) as { providers: Json[] };
      expect(providers.find(({ id }) => id === 'groq')).toMatchObject({
        is_set_up: true,
        health: { state: 'ejected', error_share: 1, seen_by: 1 },
      });
    });

    it('keeps an own key, tests it, replaces it and forgets it: by pointer', async () => {
      const page = await harness.visit('/console/providers/groq');
      await page.getByRole('button', { name: 'Add an own key' }).click();
      await page.getByRole('button', { name: 'Keep the key' }).click();
      await page.getByText('Is needed.').waitFor();
      await page.getByLabel('API key').fill(OWN_SECRET);
      await page.getByLabel('Name (optional)').fill(HOSTILE);
      await page.getByRole('button', { name: 'Keep the key' }).click();
      await page.getByText('…0123').waitFor();
      expect(await credentials()).toMatchObject([{ provider: 'groq', name: HOSTILE, mode: 'prefer', last4: '0123' }]);

      await page.getByRole('button', { name: `Test ${HOSTILE}` }).click();
      await page.getByText('does not work').waitFor();
      await page.getByRole('button', { name: `Change or forget ${HOSTILE}` }).click();
      await page.getByRole('menuitem', { name: 'New secret …' }).click();
      await page.getByLabel('API key').fill('another-secret-of-tests-4567');
      await page.getByRole('button', { name: 'Replace the secret' }).click();
      await page.getByText('…4567').waitFor();
      expect(await credentials()).toMatchObject([{ last4: '4567', version: 2 }]);

      // It is nowhere in the browser once it was sent.
      expect(await page.content()).not.toContain(OWN_SECRET);
      expect(JSON.stringify(await page.context().storageState())).not.toContain(OWN_SECRET);
      await page.getByRole('button', { name: `Change or forget ${HOSTILE}` }).click();
      await page.getByRole('menuitem', { name: 'Forget …' }).click();
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await page.getByText('No own key', { exact: true }).waitFor();
      expect(await credentials()).toEqual([]);
    });

    it('keeps an account of several fields: by keyboard alone', async () => {
      const page = await harness.visit('/console/providers/bedrock');
      await page.getByRole('button', { name: 'Add an own key' }).press('Enter');
      await page.getByLabel('Kind of account').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.type('AKIA0123456789ABCDEF');
      await page.keyboard.press('Tab');
      await page.keyboard.type('secret-access-key-of-the-tests-89ab');
      await page.keyboard.press('Enter');
      await page.getByText('…89ab').waitFor();
      expect(await credentials()).toMatchObject([{ provider: 'bedrock', last4: '89ab' }]);
    });
  });

  describe('audit', () => {
    it('says who changed what, field by field, and narrows the list: by pointer', async () => {
      const group = ((await harness.must('GET /v1/manage/group'))['groups'] as Json[])[0];
      await harness.must(`PATCH /v1/manage/group/${String(group?.['id'])}`, { name: 'Research and development', monthly_limit: 50 });
      const page = await harness.visit('/console/audit');
      await page.getByRole('link', { name: 'Update group' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row', { name: 'name Research Research and development' }).waitFor();
      await dialog.getByRole('row', { name: 'monthly_limit (none) 50' }).waitFor();
      expect(page.url()).toContain('entry=');
      await page.getByRole('button', { name: 'Close' }).click();

      await page.getByLabel('Search', { exact: true }).fill('crawler 2');
      await page.getByText('11 changes, that is all').waitFor();
      const { audit } = (await harness.must('GET /v1/manage/audit?search=crawler%202')) as { audit: Json[] };
      expect(audit).toHaveLength(11);
      await page.getByLabel('Search', { exact: true }).fill('');
      await page.getByRole('button', { name: 'Only changes of ada@example.com' }).click();
      await page.getByText('1 change, that is all').waitFor();
    });

    it('verifies the chain, and offers what is listed as a file: by keyboard', async () => {
      const page = await harness.visit('/console/audit?target_kind=member');
      await page.getByRole('button', { name: 'Verify the log' }).press('Enter');
      await page.getByText('whole', { exact: true }).waitFor();
      const { verification } = (await harness.must('GET /v1/manage/audit/verification')) as { verification: Json };
      await page.getByText(`${String(verification['entries'])} entries computed anew`).waitFor();
      await page.getByText((verification['up_to'] as { hash: string }).hash).waitFor();

      const link = page.getByRole('link', { name: 'Download CSV' });
      const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')]);
      expect(download.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
      const lines = await readAll(await download.createReadStream());
      expect(lines.trim().split('\n')).toHaveLength(2);
      expect(lines).toContain('ada@example.com');
    });

    it('opens an entry from an address alone, whatever is listed', async () => {
      const { audit } = (await harness.must('GET /v1/manage/audit?limit=1')) as { audit: [{ id: string }] };
      const page = await harness.visit(`/console/audit?entry=${audit[0].id}&search=nowhere-to-be-found`);
      await page.getByRole('dialog').getByText(audit[0].id, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('No change fits').waitFor();
    });
  });

  describe('search', () => {
    const search = async (page: Page, text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search everywhere' }).fill(text);
    };

    const title = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });
    type Place = { readonly text: string; readonly name: string; readonly address: RegExp; readonly shows: (page: Page) => Locator };
    const PLACES: readonly Place[] = [
      { text: 'mon', name: 'Money', address: /\/console\/money$/, shows: (page) => title(page, 'Money') },
      { text: 'crawler 7', name: 'crawler 7', address: /\/keys\?search=crawler/, shows: (page) => title(page, 'Keys') },
      { text: 'resea', name: 'Research', address: /\/groups\/[0-9a-f-]{36}$/, shows: (page) => title(page, 'Research') },
      { text: 'lovelace', name: 'ada@example.com', address: /\/members\?search=ada/, shows: (page) => title(page, 'Members') },
      {
        text: 'sandbox chat',
        name: 'sandbox/chat',
        address: /model=sandbox/,
        shows: (page) => page.getByRole('dialog', { name: 'sandbox/chat' }),
      },
      {
        text: 'cheap',
        name: 'policy/cheap-first',
        address: /cheap-first/,
        shows: (page) => page.getByRole('dialog', { name: 'cheap-first' }),
      },
    ];

    it('leads to pages, keys, groups, members, models and policies: by keyboard alone', async () => {
      const page = await harness.visit('/console/');
      for (const { text, name, address, shows } of PLACES) {
        await search(page, text);
        await page.getByRole('option', { name }).first().waitFor();
        await page.getByText(/\d results?\./).waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(address);
        await shows(page).waitFor();
        expect(await page.getByRole('combobox', { name: 'Search everywhere' }).count()).toBe(0);
      }
    });

    it('is not covered by the dialog of a page that comes late, which opens after it', async () => {
      const page = await harness.visit('/console/');
      let send = (): void => undefined;
      const isWanted = new Promise<void>((resolve) => (send = resolve));
      await page.route('**/assets/models-page*.js', async (route) => {
        await isWanted;
        await route.continue();
      });
      await search(page, 'sandbox/chat');
      await page.getByText(/\d results?\./).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/model=sandbox/);
      await search(page, 'crawler 7');
      send();
      // Below the search, and so out of sight of roles.
      await page.locator('h1', { hasText: 'Models' }).waitFor();
      await settle(page);
      await page.getByRole('option', { name: 'crawler 7' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'sandbox/chat' }).waitFor();
    });

    it('leads to a request by the beginning of its id: by pointer', async () => {
      const id = (await chat('sandbox/chat')).headers['x-request-id'] ?? '';
      await waitUntil('the request is counted', async () => (await harness.call(`GET /v1/generation/${id}`)).status === 200);
      const page = await harness.visit('/console/');
      await page.getByRole('button', { name: 'Search everywhere' }).click();
      await page.getByRole('combobox', { name: 'Search everywhere' }).fill(id.slice(0, 18));
      await page.getByRole('option', { name: id }).click();
      await page.waitForURL(new RegExp(`/requests/${id}$`));
    });

    it('shows hostile names as they are, asks little, and sends no secret', async () => {
      const page = await harness.visit('/console/');
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('search=') && asked.push(request.url()));
      await page.keyboard.press('Control+k');
      const box = page.getByRole('dialog').getByRole('combobox');
      await box.focus();
      await typeAtOnce(box, '"><img');
      await page.getByRole('option', { name: HOSTILE }).waitFor();
      // Keys, groups and members, once each: what was typed before was never asked.
      expect(asked.length).toBeLessThanOrEqual(3);
      asked.length = 0;
      await box.fill(harness.gateway.apiKey.replace('e2e', 'weir_live'));
      await page.getByText('This looks like a secret').waitFor();
      expect(asked).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('finds no more than the caller may read', async () => {
      const { api_key: key } = await harness.must('POST /v1/manage/apikey', { name: 'only calls models' });
      const page = await harness.visit('/console/', { apiKey: String(key) });
      await search(page, 'crawler');
      await page.getByText('Nothing found.').waitFor();
      await page.getByRole('combobox').fill('audit');
      await page.getByText('Nothing found.').waitFor();
      await page.getByRole('combobox').fill('sandbox/chat');
      await page.getByRole('option', { name: 'sandbox/chat', exact: true }).first().waitFor();
    });
  });

  it.each(['light', 'dark'] as const)(
    'hinders no one: open dialogs too, %s',
    async (theme) => {
      const page = await harness.visit('/console/providers/groq', { theme });
      await page.getByRole('button', { name: 'Add an own key' }).click();
      await page.getByLabel('API key').waitFor();
      expect(await findHindrances({ page })).toEqual([]);
      await page.goto('/console/audit?action=update-group');
      await page.getByRole('link', { name: 'Update group' }).first().click();
      await page.getByRole('dialog').waitFor();
      expect(await findHindrances({ page })).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search everywhere' }).fill('crawler');
      await page.getByRole('option', { name: 'crawler 1', exact: false }).first().waitFor();
      expect(await findHindrances({ page })).toEqual([]);
    },
    60_000,
  );
});

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk.toString();
  return text;
}

/** Key by key, and so quickly that no machine is slow enough for a pause between two of them. */
async function typeAtOnce(box: Locator, text: string): Promise<void> {
  await box.evaluate((input, typed) => {
    for (const letter of typed) input.ownerDocument.execCommand('insertText', false, letter);
  }, text);
}
