import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createRepository, type Repository } from './repository';

export const REPOSITORY = resolve(__dirname, '../../../..');

/** Not ours to judge: installed, built, generated, or written while running. */
const SKIPPED = new Set(['node_modules', 'dist', 'generated', 'coverage', '.git', '.nx', '.weir', '.tmp']);
const TEXT =
  /\.(tsx?|css|html|mts|mjs|cjs|js|json|md|ya?ml|sh|sql|prisma|toml|Dockerfile)$|(^|\/)(Dockerfile|run|CODEOWNERS|\.gitignore|\.dockerignore|\.prettierignore)$/;
const UNREAD = new Set(['package-lock.json']);

/** Reads every text file of the repository that is ours. */
export function readRepository(root = REPOSITORY): Repository {
  const texts: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) visit(path);
      } else if (entry.isFile() && TEXT.test(path) && !UNREAD.has(entry.name)) {
        texts[path] = readFileSync(join(root, path), 'utf8');
      }
    }
  };
  visit('');
  return createRepository(texts);
}
