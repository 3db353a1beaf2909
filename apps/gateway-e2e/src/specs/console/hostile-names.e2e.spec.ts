import { describeWithRealParts, waitUntil } from '@weir/testing';
import type { Page } from 'playwright-core';
import { findNewestRequest, HOSTILE, nameWithScripts, type HostileThings } from '../../harness/name-with-scripts';
import { settle } from '../../harness/open-console';
import { startConsoleHarness, type ConsoleHarness } from '../../harness/start-console-harness';

const MENUS_MAX = 4;

describeWithRealParts(['browser'], 'hostile names in the console', () => {
  let harness: ConsoleHarness;
  let things: HostileThings;
  let requestId: string;

  beforeAll(async () => {
    harness = await startConsoleHarness();
    things = await nameWithScripts(harness.must);
    requestId = await findNewestRequest(harness.must);
  });
  afterEach(() => harness.endVisits());
  afterAll(() => harness.close());

  const countMade = (page: Page): Promise<number> => page.locator('img[src="x"], body script').count();

  /** Every tab of a page, and every dialog that its rows open. */
  async function lookAround(page: Page): Promise<string[]> {
    const seen: string[] = [];
    const look = async (): Promise<void> => {
      await settle(page);
      await waitUntil('what was loading', async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0);
      expect(await countMade(page)).toBe(0);
      seen.push(await page.locator('body').innerText());
    };
    await look();
    for (let tab = 1; tab < (await page.getByRole('tab').count()); tab += 1) {
      await page.getByRole('tab').nth(tab).click();
      await look();
    }
    const { pathname: path } = new URL(page.url());
    const menus = page.locator('.row-menu');
    for (let menu = 0; menu < Math.min(MENUS_MAX, await menus.count()); menu += 1) {
      const open = async (): Promise<number> => {
        await menus.nth(menu).click();
        return page.getByRole('menuitem').count();
      };
      const entries = await open();
      await page.keyboard.press('Escape');
      for (let entry = 0; entry < entries; entry += 1) {
        await open();
        const item = page.getByRole('menuitem').nth(entry);
        if ((await item.getAttribute('aria-disabled')) === 'true') {
          await page.keyboard.press('Escape');
          continue;
        }
        await item.click();
        await settle(page);
        if (new URL(page.url()).pathname !== path) {
          await look();
          await page.goBack();
          await menus.nth(menu).waitFor();
          continue;
        }
        await page.getByRole('dialog').first().waitFor();
        await look();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').first().waitFor({ state: 'detached' });
      }
    }
    return seen;
  }

  it('are shown as they are on every page, tab and dialog, and nothing of them runs', async () => {
    const page = await harness.visit('/console/');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    const shown: string[] = [];
    const text = encodeURIComponent(HOSTILE);
    const others = [
      ...[`/console/groups/${things.groupId}`, `/console/requests/${requestId}`, `/console/keys?search=${text}`],
      ...['/console/?cut=user_id', `/console/requests?end_user=${text}`, '/console/rules?tab=guardrails'],
    ];
    for (const path of [...paths, ...others]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if ((await lookAround(page)).some((text) => text.includes(HOSTILE))) shown.push(path.split('?')[0] ?? '');
    }
    expect(paths.length).toBeGreaterThan(5);
    expect(shown).toEqual(
      expect.arrayContaining([
        ...['/console/', '/console/requests', `/console/requests/${requestId}`, '/console/keys', '/console/groups'],
        ...[`/console/groups/${things.groupId}`, '/console/members', '/console/rules', '/console/limits', '/console/money'],
      ]),
    );
  }, 180_000);

  it('stay text in lists that are taken along', async () => {
    const page = await harness.visit('/console/groups');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV of groups' }).click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain(`"${HOSTILE.replaceAll('"', '""')}"`);
  });
});
