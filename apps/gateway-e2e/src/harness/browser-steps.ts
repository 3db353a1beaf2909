import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

const TABS_MAX = 120;

/** Goes to a control by the Tab key alone, as someone without a mouse does. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let pressed = 0; pressed < TABS_MAX; pressed += 1) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${control.toString()}`);
}

/** Goes to a control by the Tab key, and presses a key there. */
export async function pressAt(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Goes to a field by the Tab key, and writes into it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

const ENTRIES_MAX = 20;

/** Chooses an entry of a menu that has just been opened, by the arrow keys. */
export async function pickByKeys(page: Page, name: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name });
  await entry.waitFor();
  for (let pressed = 0; pressed < ENTRIES_MAX; pressed += 1) {
    if ((await entry.and(page.locator(':focus')).count()) > 0) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`the arrow keys do not reach ${name}`);
}

/** What a click saves as a file. */
export async function download(page: Page, click: () => Promise<void>): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

export async function readClipboard(page: Page): Promise<string> {
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}
