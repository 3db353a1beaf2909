import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, '..', '..', 'setup', 'show-progress.mjs')).href;

const REDRAWN = '\r\u001b[K';

/** What is written in about a second and a half; `columns` undefined: to no terminal. */
function run(columns: number | undefined): string {
  const script = `
    const { showProgress } = await import('${MODULE}');
    const output = { isTTY: ${columns !== undefined}, columns: ${columns ?? 'undefined'}, write: (text) => process.stdout.write(text) };
    const progress = showProgress('weir: Installing dependencies …', output);
    setTimeout(() => progress.end(), 1500);`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}

describe('the progress of an installation', () => {
  it('shows the seconds in one line on a terminal', () => {
    const title = 'weir: Installing dependencies …';
    expect(run(80).split(REDRAWN)).toEqual(['', title, `${title} 1 s`, `${title}\n`]);
  });

  it('never fills the width of a narrow terminal, and keeps the seconds', () => {
    const drawn = run(20).split(REDRAWN);
    expect(Math.max(...drawn.map((line) => line.trimEnd().length))).toBe(19);
    expect(drawn[2]).toMatch(/^….* 1 s$/);
  });

  it('is one plain line elsewhere', () => {
    expect(run(undefined)).toBe('weir: Installing dependencies …\n');
  });
});
