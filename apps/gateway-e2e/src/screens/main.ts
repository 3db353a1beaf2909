// Takes pictures of every page of the console, to be looked at: `npm run screens -- <folder>`.
import { getPostgres, makeTestFolder } from '@weir/testing';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  findHindrances,
  openConsoleBrowser,
  settle,
  signIn,
  takeSession,
  type ConsoleBrowser,
  type Theme,
  type Visit,
} from '../harness/open-console';
import { startStandalone } from '../harness/start-standalone';
import { makeSample } from './make-sample';
import { SCREENS, SCREEN_SETTINGS } from './pages';

const THEMES: readonly Theme[] = ['light', 'dark'];
const WIDTHS = [1280, 1920, 390];
const HEIGHT = 900;
const SIGNED_OUT = { 'sign-in': '/console/sign-in' };
const OF_A_MEMBER = { 'member-overview': '/console/', 'member-limits': '/console/limits' };

async function main(): Promise<void> {
  const folder = process.argv[2] ?? makeTestFolder('screens');
  mkdirSync(folder, { recursive: true });
  const postgres = await getPostgres();
  const databaseUrl = await postgres.createDatabase();
  const gateway = await startStandalone({ env: { DATABASE_URL: databaseUrl, ...SCREEN_SETTINGS } });
  const { requestId, failedId, groupId, memberKey } = await makeSample(gateway, databaseUrl);
  const screens = {
    ...SCREENS,
    request: `/console/requests/${requestId}`,
    'request-failed': `/console/requests/${failedId}`,
    group: `/console/groups/${groupId}`,
  };
  const tours: readonly Tour[] = [
    { paths: SIGNED_OUT, enter: () => Promise.resolve() },
    { paths: screens, enter: (visit) => signIn(visit, gateway.apiKey) },
    { paths: OF_A_MEMBER, enter: (visit) => takeSession(visit, memberKey) },
  ];
  const browser = await openConsoleBrowser(gateway);
  const problems: string[] = [];
  for (const theme of THEMES) for (const tour of tours) problems.push(...(await takeTour(browser, tour, { theme, folder })));
  await browser.close();
  await gateway.process.terminate();
  await postgres.stop();
  const count = tours.flatMap(({ paths }) => Object.keys(paths)).length * THEMES.length * WIDTHS.length;
  process.stderr.write([...problems, `${count} pictures in ${folder}, ${problems.length} problems`, ''].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** Pages that one visitor looks at, by the names of their pictures. */
type Tour = { readonly paths: Readonly<Record<string, string>>; readonly enter: (visit: Visit) => Promise<void> };

async function takeTour(
  browser: ConsoleBrowser,
  { paths, enter }: Tour,
  { theme, folder }: { readonly theme: Theme; readonly folder: string },
): Promise<string[]> {
  const problems: string[] = [];
  const visit = await browser.visit({ theme });
  await enter(visit);
  for (const width of WIDTHS) {
    await visit.page.setViewportSize({ width, height: HEIGHT });
    for (const [name, path] of Object.entries(paths)) {
      const found = await takeScreen(visit, path, join(folder, `${name}-${theme}-${width}.png`));
      problems.push(...found.map((problem) => `${name}, ${theme}, ${width} px: ${problem}`));
    }
  }
  await visit.context.close();
  return [...problems, ...visit.faults];
}

/** Returns what is wrong with the page, as far as a program can see it. */
async function takeScreen(visit: Visit, path: string, file: string): Promise<string[]> {
  await visit.page.goto(path);
  await visit.page.locator('h1').first().waitFor();
  await settle(visit.page);
  await visit.page.screenshot({ path: file });
  const isWide = (await visit.page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
  return [...(await findHindrances(visit)), ...(isWide ? ['scrolls sideways'] : [])];
}

void main();
