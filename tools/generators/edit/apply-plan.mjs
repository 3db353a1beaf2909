import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Reads a file of the repository; undefined when it is not there. */
export function readText(root, path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

/** Writes everything or nothing: a new file must be new, so no one's work is overwritten. */
export function applyPlan(root, { added, changed }) {
  const taken = Object.keys(added).filter((path) => existsSync(join(root, path)));
  if (taken.length > 0) throw new Error(`${taken.join(', ')} exists already`);
  for (const [path, text] of Object.entries({ ...added, ...changed })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`${path in added ? 'added  ' : 'changed'} ${path}`);
  }
}

/** Runs a generator; what it refuses is said in one line. */
export function runGenerator(name, run) {
  try {
    run();
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
