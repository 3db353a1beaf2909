import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../house/run-process';
import { startStandalone, type House } from '../house/start-standalone';

const RUNNABLE = /```sh runnable\n([\s\S]*?)```/g;

type Block = { readonly page: string; readonly number: number; readonly commands: string };

/** What pages promise to work, as it stands in them. */
function listBlocks(): Block[] {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];
  return pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(RUNNABLE)].map(([, commands = ''], index) => ({
      page,
      number: index + 1,
      commands,
    })),
  );
}

describe('the commands of the pages', () => {
  let house: House;
  let folder: string;
  const blocks = listBlocks();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weir-docs-'));
    house = await startStandalone();
  });
  afterAll(async () => {
    await house.process.terminate();
    rmSync(folder, { recursive: true });
  });

  it('are there', () => {
    expect(blocks.length).toBeGreaterThan(4);
  });

  it.each(blocks.map((block) => [`${block.page} ${block.number}`, block] as const))('run: %s', (_, { commands }) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', WEIR_URL: house.url, WEIR_API_KEY: house.apiKey },
      encoding: 'utf8',
      timeout: 30_000,
    });

    expect([status, status === 0 ? '' : `${stdout}\n${stderr}`]).toEqual([0, '']);
  });
});
