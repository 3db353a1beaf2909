import { getBrowser, type RealBrowser } from '@weir/testing';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import type { Harness } from './start-standalone';

export type Theme = 'light' | 'dark';

/** Where the console is looked at: one browser, and for each visit a profile of its own. */
export type ConsoleBrowser = {
  /** A visitor who has never been here. */
  visit(options?: { readonly theme?: Theme; readonly width?: number }): Promise<Visit>;
  close(): Promise<void>;
};

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What no page may ever cause: errors of scripts, refusals by the policy, requests to other hosts, dialogs. */
  readonly faults: readonly string[];
};

const HEIGHT = 900;

/** A browser for the console of a gateway. */
export async function openConsoleBrowser({ url }: Pick<Harness, 'url'>): Promise<ConsoleBrowser> {
  const real = await getBrowser();
  if (real === undefined) throw new Error('no browser can be had');
  return {
    visit: (options = {}) => visit(real, url, options),
    close: () => real.stop(),
  };
}

async function visit(
  { browser }: RealBrowser,
  url: string,
  { theme = 'light', width = 1280 }: { theme?: Theme; width?: number },
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, colorScheme: theme, viewport: { width, height: HEIGHT } });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !/^(?:data|blob):/.test(asked)) faults.push(`elsewhere: ${asked}`);
  });
  return { page, context, faults };
}

/** The browser writes down each reply above 399; which of them are faults, the specs know. */
function isRefusal(text: string): boolean {
  return text.startsWith('Failed to load resource');
}

/** Signs in as a person does, by the keyboard alone. */
export async function signIn({ page }: Visit, apiKey: string, path = '/console/'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('API key').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

type AxeResult = { readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[] };

let axe: string | undefined;

/** What hinders people with screen readers, little sight or no mouse, as axe finds it: rule and element. */
export async function findHindrances({ page }: Visit): Promise<string[]> {
  axe ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  // Through the debugger, which the policy of the page does not concern.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResult;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
