import { getBrowser, waitUntil, type RealBrowser } from '@weir/testing';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page, Request } from 'playwright-core';
import type { Harness } from './start-standalone';

export type Theme = 'light' | 'dark';

export type VisitOptions = {
  readonly theme?: Theme;
  readonly width?: number;
  /** One that another visit has left, and that remembers nothing of it but the files of the console. */
  readonly profile?: BrowserContext | undefined;
};

/** Where the console is looked at: one browser, and for each visit a profile of its own. */
export type ConsoleBrowser = {
  /** A visitor who has never been here. */
  visit(options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
};

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What no page may ever cause: errors of scripts, refusals by the policy, requests to other hosts, dialogs. */
  readonly faults: readonly string[];
};

type Where = Pick<Harness, 'url'>;

const HEIGHT = 900;
/** How many times slower than this machine the pages of the console are, to see what only happens on slow ones. */
const SLOWDOWN = Number(process.env['BROWSER_SLOWDOWN'] ?? '1');
/** A machine that runs other tests beside may let a page wait; the time limit of a test is twice that. */
const PATIENCE_MS = 45_000;

/** A browser for the console of a gateway, which may still be starting. */
export async function openConsoleBrowser(gateway: Where | Promise<Where>): Promise<ConsoleBrowser> {
  const [real, { url }] = await Promise.all([getBrowser(), gateway]);
  if (real === undefined) throw new Error('no browser can be had');
  return {
    visit: (options = {}) => visit(real, url, options),
    close: () => real.stop(),
  };
}

async function visit({ browser }: RealBrowser, url: string, { theme = 'light', width = 1280, profile }: VisitOptions): Promise<Visit> {
  const context = profile ?? (await browser.newContext({ baseURL: url, viewport: { width, height: HEIGHT } }));
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: HEIGHT });
  if (SLOWDOWN > 1) await slowDown(page);
  watchRequests(page);
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

async function slowDown(page: Page): Promise<void> {
  const debuggee = await page.context().newCDPSession(page);
  await debuggee.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}

/** What each page has asked for and has not got yet. */
const waitedFor = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const open = new Set<Request>();
  waitedFor.set(page, open);
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Waits until a page has got all that it asked for, has shown it, and asks for nothing more. */
export async function settle(page: Page): Promise<void> {
  const isQuiet = (): boolean => waitedFor.get(page)?.size === 0;
  await waitUntil('the page has all it asked for', async () => {
    if (!isQuiet()) return false;
    await page.evaluate(TWO_FRAMES);
    return isQuiet();
  });
}

/** The browser writes down each reply above 399; which of them are faults, the specs know. */
function isRefusal(text: string): boolean {
  return text.startsWith('Failed to load resource');
}

/** Gives a visitor the session of a key without the page that people do it on, which has specs of its own. */
export async function takeSession({ context }: Visit, apiKey: string): Promise<void> {
  const reply = await context.request.post('/console/session', { data: { api_key: apiKey } });
  if (!reply.ok()) throw new Error(`no session: ${reply.status()} ${await reply.text()}`);
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
export async function findHindrances({ page }: Pick<Visit, 'page'>): Promise<string[]> {
  axe ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  // Through the debugger, which the policy of the page does not concern.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResult;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
