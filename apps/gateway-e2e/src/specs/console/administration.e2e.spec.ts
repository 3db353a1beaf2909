import { describeWithRealParts } from '@weir/testing';
import { findHindrances, openConsoleBrowser, signIn, type ConsoleBrowser, type Visit } from '../../harness/open-console';
import { startStandalone, type Harness } from '../../harness/start-standalone';

const HOSTILE = '"><img src=x onerror=alert(1)>';
const OWN_SECRET = 'sk-own-secret-of-the-tests-0123';

type Json = Record<string, unknown>;

describeWithRealParts(['browser'], 'the console: providers, audit, search', () => {
  let harness: Harness;
  let browser: ConsoleBrowser;
  const visits: Visit[] = [];

  const call = async (method: string, path: string, body?: object, key = harness.apiKey): Promise<Json> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const reply = await fetch(`${harness.url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await reply.text();
    return text === '' ? {} : (JSON.parse(text) as Json);
  };
  const open = async (path: string, key = harness.apiKey, options: Parameters<ConsoleBrowser['visit']>[0] = {}): Promise<Visit> => {
    const made = await browser.visit(options);
    visits.push(made);
    await signIn(made, key, path);
    await made.page.locator('h1').waitFor();
    return made;
  };
  const credentials = async (): Promise<Json[]> => (await call('GET', '/v1/manage/provider-credential'))['provider_credentials'] as Json[];

  beforeAll(async () => {
    // Where no one listens: what is sent there fails.
    harness = await startStandalone({ env: { GROQ_API_KEY: 'sk-of-the-gateway', GROQ_BASE_URL: 'http://127.0.0.1:9/v1' } });
    browser = await openConsoleBrowser(harness);
    await call('POST', '/v1/manage/group', { name: 'Research' });
    await call('POST', '/v1/manage/apikey', { name: HOSTILE, labels: { team: 'research' } });
    for (let index = 0; index < 30; index += 1) await call('POST', '/v1/manage/apikey', { name: `crawler ${index}` });
    await call('POST', '/v1/manage/org/member', { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' });
    await call('POST', '/v1/manage/policy', { name: 'cheap-first', strategy: 'fallback', models: ['sandbox/chat'] });
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

  describe('providers', () => {
    it('shows which are set up, what the others need, and who says so', async () => {
      const { page } = await open('/console/providers');
      await page.getByText('As the one process sees it').waitFor();
      await page.getByLabel('Search', { exact: true }).fill('bedrock');
      await page.getByRole('link', { name: 'Amazon Bedrock', exact: true }).click();
      await page.getByText('To set it up for everyone').waitFor();
      await page.getByText('AWS_SECRET_ACCESS_KEY', { exact: true }).waitFor();
      await page.getByText('not set up', { exact: true }).waitFor();
    });

    it('shows what routing leaves out, as soon as it does', async () => {
      const { page } = await open('/console/providers/groq');
      const { data } = (await call('GET', '/v1/models/chat')) as { data: { id: string }[] };
      const model = data.find(({ id }) => id.startsWith('groq/'))?.id ?? '';
      const body = { model, messages: [{ role: 'user', content: 'hello' }] };
      for (let index = 0; index < 6; index += 1) await call('POST', '/v1/chat/completions', body);
      await page.getByText('left out', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: model, exact: true }).waitFor();
      const { providers } = (await call('GET', '/v1/manage/provider')) as { providers: Json[] };
      expect(providers.find(({ id }) => id === 'groq')).toMatchObject({
        is_set_up: true,
        health: { state: 'ejected', error_share: 1, seen_by: 1 },
      });
    });

    it('keeps an own key, tests it, replaces it and forgets it: by pointer', async () => {
      const { page, context } = await open('/console/providers/groq');
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
      expect(JSON.stringify(await context.storageState())).not.toContain(OWN_SECRET);
      await page.getByRole('button', { name: `Change or forget ${HOSTILE}` }).click();
      await page.getByRole('menuitem', { name: 'Forget …' }).click();
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await page.getByText('No own key', { exact: true }).waitFor();
      expect(await credentials()).toEqual([]);
    });

    it('keeps an account of several fields: by keyboard alone', async () => {
      const { page } = await open('/console/providers/bedrock');
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
      const group = ((await call('GET', '/v1/manage/group'))['groups'] as Json[])[0];
      await call('PATCH', `/v1/manage/group/${String(group?.['id'])}`, { name: 'Research and development', monthly_limit: 50 });
      const { page } = await open('/console/audit');
      await page.getByRole('link', { name: 'Update group' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row', { name: 'name Research Research and development' }).waitFor();
      await dialog.getByRole('row', { name: 'monthly_limit (none) 50' }).waitFor();
      expect(page.url()).toContain('entry=');
      await page.getByRole('button', { name: 'Close' }).click();

      await page.getByLabel('Search', { exact: true }).fill('crawler 2');
      await page.getByText('11 changes, that is all').waitFor();
      const { audit } = (await call('GET', '/v1/manage/audit?search=crawler%202')) as { audit: Json[] };
      expect(audit).toHaveLength(11);
      await page.getByLabel('Search', { exact: true }).fill('');
      await page.getByRole('button', { name: 'Only changes of ada@example.com' }).click();
      await page.getByText('1 change, that is all').waitFor();
    });

    it('verifies the chain, and offers what is listed as a file: by keyboard', async () => {
      const { page } = await open('/console/audit?target_kind=member');
      await page.getByRole('button', { name: 'Verify the log' }).press('Enter');
      await page.getByText('whole', { exact: true }).waitFor();
      const { verification } = (await call('GET', '/v1/manage/audit/verification')) as { verification: Json };
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
      const { audit } = (await call('GET', '/v1/manage/audit?limit=1')) as { audit: [{ id: string }] };
      const { page } = await open(`/console/audit?entry=${audit[0].id}&search=nowhere-to-be-found`);
      await page.getByRole('dialog').getByText(audit[0].id, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('No change fits').waitFor();
    });
  });

  describe('search', () => {
    const search = async ({ page }: Visit, text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search everywhere' }).fill(text);
    };

    const PLACES: readonly (readonly [text: string, name: string, address: RegExp])[] = [
      ['mon', 'Money', /\/console\/money$/],
      ['crawler 7', 'crawler 7', /\/keys\?search=crawler/],
      ['resea', 'Research', /\/groups\/[0-9a-f-]{36}$/],
      ['lovelace', 'ada@example.com', /\/members\?search=ada/],
      ['sandbox chat', 'sandbox/chat', /model=sandbox/],
      ['cheap', 'policy/cheap-first', /cheap-first/],
    ];

    it('leads to pages, keys, groups, members, models and policies: by keyboard alone', async () => {
      const seen = await open('/console/');
      for (const [text, name, address] of PLACES) {
        await search(seen, text);
        await seen.page.getByRole('option', { name }).first().waitFor();
        await seen.page.getByText(/\d results?\./).waitFor();
        await seen.page.keyboard.press('Enter');
        await seen.page.waitForURL(address);
        await seen.page.getByRole('dialog', { name: 'Search everywhere' }).waitFor({ state: 'detached' });
      }
    }, 60_000);

    it('leads to a request by the beginning of its id: by pointer', async () => {
      const reply = await fetch(`${harness.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'hello' }] }),
      });
      const id = reply.headers.get('x-request-id') ?? '';
      const counted = async (): Promise<boolean> => ((await call('GET', `/v1/generation?id=${id}`))['generations'] as Json[]).length > 0;
      while (!(await counted())) await new Promise((resolve) => setTimeout(resolve, 200));
      const { page } = await open('/console/');
      await page.getByRole('button', { name: 'Search everywhere' }).click();
      await page.getByRole('combobox', { name: 'Search everywhere' }).fill(id.slice(0, 18));
      await page.getByRole('option', { name: id }).click();
      await page.waitForURL(new RegExp(`/requests/${id}$`));
    });

    it('shows hostile names as they are, asks little, and sends no secret', async () => {
      const seen = await open('/console/');
      const asked: string[] = [];
      seen.page.on('request', (request) => request.url().includes('search=') && asked.push(request.url()));
      await seen.page.keyboard.press('Control+k');
      const box = seen.page.getByRole('dialog').getByRole('combobox');
      await box.pressSequentially('"><img', { delay: 20 });
      await seen.page.getByRole('option', { name: HOSTILE }).waitFor();
      // Keys, groups and members, once each: what was typed before was never asked.
      expect(asked.length).toBeLessThanOrEqual(3);
      asked.length = 0;
      await box.fill(harness.apiKey.replace('e2e', 'weir_live'));
      await seen.page.getByText('This looks like a secret').waitFor();
      expect(asked).toEqual([]);
      await seen.page.keyboard.press('Escape');
      await seen.page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('finds no more than the caller may read', async () => {
      const { api_key: key } = await call('POST', '/v1/manage/apikey', { name: 'only calls models' });
      const seen = await open('/console/', String(key));
      await search(seen, 'crawler');
      await seen.page.getByText('Nothing found.').waitFor();
      await seen.page.getByRole('combobox').fill('audit');
      await seen.page.getByText('Nothing found.').waitFor();
      await seen.page.getByRole('combobox').fill('sandbox/chat');
      await seen.page.getByRole('option', { name: 'sandbox/chat', exact: true }).first().waitFor();
    });
  });

  it.each(['light', 'dark'] as const)(
    'hinders no one: open dialogs too, %s',
    async (theme) => {
      const seen = await open('/console/providers/groq', harness.apiKey, { theme });
      await seen.page.getByRole('button', { name: 'Add an own key' }).click();
      await seen.page.getByLabel('API key').waitFor();
      expect(await findHindrances(seen)).toEqual([]);
      await seen.page.goto('/console/audit?action=update-group');
      await seen.page.getByRole('link', { name: 'Update group' }).first().click();
      await seen.page.getByRole('dialog').waitFor();
      expect(await findHindrances(seen)).toEqual([]);
      await seen.page.keyboard.press('Escape');
      await seen.page.keyboard.press('Control+k');
      await seen.page.getByRole('combobox', { name: 'Search everywhere' }).fill('crawler');
      await seen.page.getByRole('option', { name: 'crawler 1', exact: false }).first().waitFor();
      expect(await findHindrances(seen)).toEqual([]);
    },
    60_000,
  );
});

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk.toString();
  return text;
}
