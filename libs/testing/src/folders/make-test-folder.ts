import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A fresh folder that goes when the tests have ended, in whatever way: it is in the one folder of this run
 * (`tools/setup/make-test-folder.cjs`). Open to all, because as root Postgres runs as another user, who must be able to enter.
 */
export function makeTestFolder(name: string): string {
  const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), `weir-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
