import { describeWithRealParts } from '@weir/testing';
import { findHindrances, openConsoleBrowser, signIn, type ConsoleBrowser, type Visit } from '../harness/open-console';
import { startStandalone, type Harness } from '../harness/start-standalone';

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
const REQUESTS = 3;

describeWithRealParts(['browser'], 'the console', () => {
  let harness: Harness;
  let browser: ConsoleBrowser;
  const visits: Visit[] = [];

  const call = async (path: string, body?: object): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> => {
    const headers = { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' };
    const reply = await fetch(
      `${harness.url}${path}`,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    );
    return { status: reply.status, json: (await reply.json()) as Record<string, unknown> };
  };
  const visit = async (options?: Parameters<ConsoleBrowser['visit']>[0]): Promise<Visit> => {
    const made = await browser.visit(options);
    visits.push(made);
    return made;
  };

  beforeAll(async () => {
    harness = await startStandalone();
    browser = await openConsoleBrowser(harness);
    for (let index = 0; index < REQUESTS; index += 1)
      await call('/v1/chat/completions', { model: 'sandbox/chat', user: HOSTILE, messages: [{ role: 'user', content: 'hello' }] });
    await call('/v1/manage/apikey', { name: HOSTILE, permissions: { completions: 'write' }, labels: { team: HOSTILE } });
    await call('/v1/manage/group', { name: HOSTILE });
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

  it('is where a browser is led to, and asks who is there', async () => {
    const { page } = await visit();
    await page.goto('/');
    await page.getByLabel('API key').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/sign-in');
  });

  it('refuses a wrong key in words, and leaves no key in the browser', async () => {
    const { page, context } = await visit();
    await page.goto('/console/');
    await page.getByLabel('API key').fill('weir_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not valid').waitFor();
    await page.getByLabel('API key').fill(harness.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'weir_console', httpOnly: true, sameSite: 'Strict', path: '/console' });
    expect(cookie?.value).not.toContain(harness.apiKey);
    const kept = (await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')) as string;
    expect(kept).not.toContain(harness.apiKey);
    expect(kept).not.toContain('weir_console');
  });

  it('signs the administrator in once by the link that the start prints', async () => {
    const [, link = ''] = await harness.process.waitFor(/(http:\/\/\S+\/console\/enter\?token=\S+)/);
    const first = await visit();
    await first.page.goto(link);
    await first.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(first.page.url()).not.toContain('token');

    const second = await visit();
    await second.page.goto(link);
    await second.page.getByText('This link has been used').waitFor();
  });

  it('goes back to where someone wanted to go, and out again for good', async () => {
    const seen = await visit();
    await signIn(seen, harness.apiKey, '/console/?range=30d');
    expect(seen.page.url()).toContain('range=30d');
    await seen.page.getByRole('button', { name: 'Account' }).press('Enter');
    await seen.page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
    await seen.page.getByLabel('API key').waitFor();
    await seen.page.goto('/console/');
    await seen.page.getByLabel('API key').waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'hinders no one, and shows hostile names as they are: every page, %s',
    async (theme) => {
      const seen = await visit({ theme });
      await signIn(seen, harness.apiKey);
      const paths = await seen.page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(paths.length).toBeGreaterThan(1);
      for (const path of paths) {
        await seen.page.goto(path);
        await seen.page.getByRole('heading', { level: 1 }).waitFor();
        await seen.page.waitForLoadState('networkidle');
        expect({ path, hindrances: await findHindrances(seen) }).toEqual({ path, hindrances: [] });
      }
    },
    120_000,
  );

  it.each([390, 1600])('fits a window of %i pixels: no page scrolls sideways', async (width) => {
    const seen = await visit({ width });
    await seen.page.goto('/console/');
    await seen.page.getByLabel('API key').fill(harness.apiKey);
    await seen.page.keyboard.press('Enter');
    await seen.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const over = await seen.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(over).toBe(0);
  });
});
