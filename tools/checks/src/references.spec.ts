import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from './repository/read-repository';

const SCRIPT = 'tools/setup/sync-references.mjs';

function runCheck(root: string): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(root, SCRIPT), '--check'], { encoding: 'utf8' });
  return { status, said: stderr };
}

describe('project references', () => {
  it('are what the manifests say', () => {
    expect(runCheck(REPOSITORY)).toEqual({ status: 0, said: '' });
  });

  it('are found out when they are not', () => {
    const root = mkdtempSync(join(tmpdir(), 'references-'));
    try {
      mkdirSync(join(root, 'tools/setup'), { recursive: true });
      cpSync(join(REPOSITORY, SCRIPT), join(root, SCRIPT));
      for (const [name, dependencies] of [
        ['a', {}],
        ['b', { '@weir/a': '0.1.0' }],
      ] as const) {
        mkdirSync(join(root, 'libs', name), { recursive: true });
        writeFileSync(join(root, 'libs', name, 'package.json'), JSON.stringify({ name: `@weir/${name}`, dependencies }));
        writeFileSync(join(root, 'libs', name, 'tsconfig.json'), '{}');
      }

      const { status, said } = runCheck(root);

      expect(status).toBe(1);
      expect(said).toContain('libs/b/tsconfig.json');
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
