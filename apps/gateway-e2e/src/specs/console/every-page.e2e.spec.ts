import { describeWithRealParts, waitUntil } from '@weir/testing';
import type { Page } from 'playwright-core';
import { findNewestRequest, nameWithScripts } from '../../harness/name-with-scripts';
import { findHindrances, settle } from '../../harness/open-console';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';
import { SCREENS, SCREEN_SETTINGS } from '../../screens/pages';

/** Each page and tab, and each dialog that has an address, with things in them whose names are hostile. */
describeWithRealParts(['browser'], 'every page of the console', () => {
  let harness: ConsoleHarness;
  let paths: readonly string[];

  const look = async (page: Page, path: string): Promise<object> => {
    await page.goto(path);
    await page.locator('h1').first().waitFor();
    await settle(page);
    await waitUntil('what was loading', async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0);
    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    return { path, over, hindrances: await findHindrances({ page }) };
  };

  beforeAll(async () => {
    harness = await startConsoleHarness(SCREEN_SETTINGS);
    const { groupId } = await nameWithScripts(harness.must);
    const requestId = await findNewestRequest(harness.must);
    paths = [...Object.values(SCREENS), `/console/requests/${requestId}`, `/console/groups/${groupId}`];
  }, 120_000);
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  it('is one that is looked at here', async () => {
    const page = await harness.visit('/console/');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const linked = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    const seen = new Set(paths.map((path) => path.split('?')[0]));
    expect(linked.filter((path) => !seen.has(path))).toEqual([]);
    expect(linked.length).toBeGreaterThan(10);
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'hinders no one and fits its window: %s, %i pixels wide',
    async (theme, width) => {
      const page = await harness.arrive({ theme, width });
      for (const path of paths) expect(await look(page, path)).toEqual({ path, over: 0, hindrances: [] });
      await page.context().clearCookies();
      expect(await look(page, '/console/sign-in')).toEqual({ path: '/console/sign-in', over: 0, hindrances: [] });
    },
    300_000,
  );

  it('stands still for people who want it to', async () => {
    const page = await harness.arrive();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/console/requests');
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menu').waitFor();
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    const moving = `[...document.querySelectorAll('*')].filter((element) => {
      const { animationName, transitionDuration } = getComputedStyle(element);
      return animationName !== 'none' || parseFloat(transitionDuration) > 0;
    }).length`;
    expect(await page.evaluate(moving)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate(moving)).toBeGreaterThan(0);
  });

  it('names several accounts of a provider, and none of their keys', async () => {
    const page = await harness.visit('/console/providers/openai');
    const table = page.getByRole('table', { name: 'Several accounts' });
    await table.getByRole('row', { name: /eu-1 3 eu/ }).waitFor();
    await table.getByRole('row', { name: /spare only when the others fail any/ }).waitFor();
    expect(await page.content()).not.toContain(SCREEN_SETTINGS['OPENAI_EU']);
  });
});
