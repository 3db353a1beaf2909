// Takes pictures of every page of the console, to be looked at: `npm run screens -- <folder>`.
import { getPostgres, makeTestFolder } from '@weir/testing';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findHindrances, openConsoleBrowser, signIn, type Theme, type Visit } from '../harness/open-console';
import { startStandalone } from '../harness/start-standalone';
import { makeSample } from './make-sample';
import { SCREENS } from './pages';

const THEMES: readonly Theme[] = ['light', 'dark'];
const WIDTHS = [1280, 1920, 390];
const HEIGHT = 900;

async function main(): Promise<void> {
  const folder = process.argv[2] ?? makeTestFolder('screens');
  mkdirSync(folder, { recursive: true });
  const postgres = await getPostgres();
  const databaseUrl = await postgres.createDatabase();
  const gateway = await startStandalone({ env: { DATABASE_URL: databaseUrl } });
  const screens = { ...SCREENS, request: `/console/requests/${await makeSample(gateway, databaseUrl)}` };
  const browser = await openConsoleBrowser(gateway);
  const problems: string[] = [];
  for (const theme of THEMES) {
    const visit = await browser.visit({ theme });
    await signIn(visit, gateway.apiKey);
    for (const width of WIDTHS) {
      await visit.page.setViewportSize({ width, height: HEIGHT });
      for (const [name, path] of Object.entries(screens)) {
        const found = await takeScreen(visit, path, join(folder, `${name}-${theme}-${width}.png`));
        problems.push(...found.map((problem) => `${name}, ${theme}, ${width} px: ${problem}`));
      }
    }
    problems.push(...visit.faults);
    await visit.context.close();
  }
  await browser.close();
  await gateway.process.terminate();
  await postgres.stop();
  const count = Object.keys(screens).length * THEMES.length * WIDTHS.length;
  process.stderr.write([...problems, `${count} pictures in ${folder}, ${problems.length} problems`, ''].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** Returns what is wrong with the page, as far as a program can see it. */
async function takeScreen(visit: Visit, path: string, file: string): Promise<string[]> {
  await visit.page.goto(path);
  await visit.page.waitForLoadState('networkidle');
  await visit.page.screenshot({ path: file });
  const isWide = (await visit.page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
  return [...(await findHindrances(visit)), ...(isWide ? ['scrolls sideways'] : [])];
}

void main();
