import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './fetch-artifact';
import { announcePart, PART_VARIABLES } from './real-part';

const CACHE = join(__dirname, '..', '..', '..', '..', '.tmp');
const INSTALL_TIMEOUT_MS = 5 * 60_000;

/**
 * The interpreter of an environment that has what a file of requirements lists, each with its checksum, and nothing else. Made once for
 * each such file.
 */
export async function getPython(requirements: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const environment = join(CACHE, `python-${digest.slice(0, 16)}`);
  const python = join(environment, 'bin', 'python');
  const stamp = join(environment, 'complete');
  announcePart('python', 'local program', python);
  if (existsSync(stamp)) return python;
  const given = process.env[PART_VARIABLES.python] ?? '';
  await mkdir(CACHE, { recursive: true });
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
  await writeFile(stamp, '');
  return python;
}
