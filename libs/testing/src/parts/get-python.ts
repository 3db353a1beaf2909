import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './fetch-artifact';
import { CACHE, makeOnce } from './make-once';
import { announcePart, PART_VARIABLES } from './real-part';

const INSTALL_TIMEOUT_MS = 5 * 60_000;

/**
 * The interpreter of an environment that has what a file of requirements lists, each with its checksum, and nothing else. Made once for
 * each such file.
 */
export async function getPython(requirements: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const name = `python-${digest.slice(0, 16)}`;
  const environment = join(CACHE, name);
  const python = join(environment, 'bin', 'python');
  const stamp = join(environment, 'complete');
  announcePart('python', 'local program', python);
  await makeOnce({
    name,
    isKept: () => existsSync(stamp),
    make: async () => {
      await makeEnvironment(environment, python, requirements);
      await writeFile(stamp, '');
    },
  });
  return python;
}

async function makeEnvironment(environment: string, python: string, requirements: string): Promise<void> {
  const given = process.env[PART_VARIABLES.python] ?? '';
  await run(given === '' ? 'python3' : given, ['-m', 'venv', '--clear', environment]);
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--require-hashes',
    '--no-deps',
    '--requirement',
    requirements,
  ];
  await run(python, pip, { timeout: INSTALL_TIMEOUT_MS });
}
