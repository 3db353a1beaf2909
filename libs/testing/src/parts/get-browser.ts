import type { Browser } from 'playwright-core';
import { findProgram } from './find-program';
import { announcePart, PART_VARIABLES } from './real-part';

export type RealBrowser = { readonly browser: Browser; stop(): Promise<void> };

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
/** Root, as in most containers of CI, may not use Chromium's own sandbox; pages under test are ours. */
const FLAGS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export function findBrowser(): string | undefined {
  const given = process.env[PART_VARIABLES.browser] ?? '';
  if (given !== '') return given;
  return PROGRAMS.map(findProgram).find((path) => path !== undefined);
}

/** A browser without a window; undefined when none can be had. */
export async function getBrowser(): Promise<RealBrowser | undefined> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return undefined;
  // Most suites need none, and loading the driver takes longer than many of them.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, '--disable-dev-shm-usage'] });
  announcePart('browser', 'local program', `${executablePath} ${browser.version()}`);
  return { browser, stop: () => browser.close() };
}
