// Generates the Prisma client into src/generated, only when the schema or Prisma has changed since the last time.
// Works without network: `generate` needs no schema engine, Prisma only insists on being able to name one.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const FOLDER = dirname(fileURLToPath(import.meta.url));
const SCHEMA = join(FOLDER, 'prisma', 'schema');
const GENERATED = join(FOLDER, 'src', 'generated');
const STAMP = join(GENERATED, 'schema.sha256');

/** Returns whether anything had to be generated. */
export function generateClient() {
  const manifest = require.resolve('prisma/package.json');
  const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  const hash = createHash('sha256').update(version);
  for (const file of readdirSync(SCHEMA).sort()) hash.update(file).update(readFileSync(join(SCHEMA, file)));
  const stamp = hash.digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return false;
  const cli = join(dirname(manifest), typeof bin === 'string' ? bin : bin.prisma);
  const run = spawnSync(process.execPath, [cli, 'generate', '--schema', SCHEMA], {
    cwd: FOLDER,
    encoding: 'utf8',
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1', ...process.env },
  });
  if (run.status !== 0) throw new Error(`prisma generate failed (${run.error?.message ?? run.status}):\n${run.stdout}\n${run.stderr}`);
  mkdirSync(GENERATED, { recursive: true });
  writeFileSync(STAMP, stamp);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(generateClient() ? 'Prisma client generated\n' : 'Prisma client is up to date\n');
}
