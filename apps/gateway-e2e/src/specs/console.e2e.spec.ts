import { describeWithRealParts } from '@weir/testing';
import { openConsoleBrowser, signIn, type ConsoleBrowser, type Visit } from '../harness/open-console';
import { startStandalone, type Harness } from '../harness/start-standalone';

describeWithRealParts(['browser'], 'the console', () => {
  let harness: Harness;
  let browser: ConsoleBrowser;
  const visits: Visit[] = [];

  const visit = async (options?: Parameters<ConsoleBrowser['visit']>[0]): Promise<Visit> => {
    const made = await browser.visit(options);
    visits.push(made);
    return made;
  };

  beforeAll(async () => {
    harness = await startStandalone();
    browser = await openConsoleBrowser(harness);
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
