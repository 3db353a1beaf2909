import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, '..', '..', 'setup', 'watch-and-restart.mjs')).href;

/** Builds by reading a file, which is broken when it says so; what it starts only says that it runs. */
const script = (folder: string): string => `
  import { readFileSync } from 'node:fs';
  import { watchAndRestart } from '${MODULE}';
  const read = () => readFileSync('${join(folder, 'source.txt')}', 'utf8');
  const say = (text) => process.stdout.write(text + '\\n');
  const loop = await watchAndRestart({
    folders: ['${folder}'],
    isSource: (path) => path.endsWith('source.txt'),
    build: async () => read() !== 'broken',
    start: async () => {
      const version = read();
      if (version === 'crashes') throw new Error('could not start');
      say('started ' + version);
      return { stop: async () => say('stopped ' + version) };
    },
    log: (text) => say(text.replace(/[0-9.]+ s$/, '… s')),
  });
  process.stdin.on('end', () => loop.stop());
  process.stdin.resume();
`;

describe('the loop of npm run dev', () => {
  let folder: string;
  let child: ChildProcess;
  const lines: string[] = [];
  const watchers = new Set<() => void>();

  /** Whole at once, as editors save. */
  const change = (text: string): void => {
    writeFileSync(join(folder, 'next'), text);
    renameSync(join(folder, 'next'), join(folder, 'source.txt'));
  };
  const waitForLine = (line: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!lines.includes(line)) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-'));
    change('one');
    child = spawn(process.execPath, ['--input-type=module', '--eval', script(folder)], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (child.stdout === null) throw new Error('no output to read');
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      for (const look of watchers) look();
    });
  });

  afterAll(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('starts again after a change, keeps what runs while the source does not build, and stops it at the end', async () => {
    await waitForLine('started one');
    change('two');
    await waitForLine('started two');
    change('broken');
    await waitForLine('not built: the gateway from before goes on');
    change('crashes');
    await waitForLine('could not start: waiting for a change');
    change('three');
    await waitForLine('started three');
    child.stdin?.end();
    await waitForLine('stopped three');

    expect(lines).toEqual([
      ...['started one', 'ready after … s', 'stopped one', 'started two', 'ready after … s'],
      ...['not built: the gateway from before goes on', 'stopped two', 'could not start: waiting for a change'],
      ...['started three', 'ready after … s', 'stopped three'],
    ]);
  }, 60_000);
});
