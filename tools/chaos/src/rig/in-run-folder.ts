import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type RunFolderOptions<Result> = {
  /** Whether the folder is kept after such a result; after an error it always is. */
  readonly isKept: (result: Result) => boolean;
  readonly report: (line: string) => void;
};

/**
 * Runs with a folder of its own, in which whatever makes test folders meanwhile makes them: journals, kept files and what
 * the parts store. It goes when the run has ended, unless someone may want to look into it; then its path is printed,
 * as it is when the process ends before the run.
 */
export async function inRunFolder<Result>(
  { isKept, report }: RunFolderOptions<Result>,
  run: (folder: string) => Promise<Result>,
): Promise<Result> {
  const outer = process.env['TEST_FOLDER'];
  const folder = mkdtempSync(join(outer ?? tmpdir(), 'weir-chaos-'));
  // As root Postgres runs as another user, who must be able to enter.
  chmodSync(folder, 0o755);
  process.env['TEST_FOLDER'] = folder;
  const reportWhere = (): void => report(`journals, stores and what the services said are kept in ${folder}`);
  process.once('exit', reportWhere);
  let isGone = false;
  try {
    const result = await run(folder);
    if (!isKept(result)) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      isGone = true;
    }
    return result;
  } finally {
    process.removeListener('exit', reportWhere);
    if (outer === undefined) delete process.env['TEST_FOLDER'];
    else process.env['TEST_FOLDER'] = outer;
    if (!isGone) reportWhere();
  }
}
