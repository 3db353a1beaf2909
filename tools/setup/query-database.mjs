// `npm run sql -- "select …" [--data-dir DIR]`: asks the embedded Postgres of a running gateway or test. Without a folder it is the one
// of `npm start` and `npm run dev` (.weir); `--tests` is every gateway that a test run has started, and the server that specs share.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'data-dir': { type: 'string' }, tests: { type: 'boolean', default: false }, database: { type: 'string', default: 'weir' } },
});
const [query = 'select datname from pg_database where not datistemplate'] = positionals;

const folders = values.tests ? listTestFolders() : [join(values['data-dir'] ?? join(ROOT, '.weir'), 'postgres')];
const addresses = folders.flatMap(findAddress);
if (addresses.length === 0) {
  const where = values.tests ? `below ${tmpdir()}/weir-tests-*` : `in ${folders.join()}`;
  console.error(`no Postgres is running ${where}: start the gateway, or let a test wait in a debugger (CONTRIBUTING.md)`);
  process.exitCode = 1;
}
for (const address of addresses) await ask(address);

async function ask({ folder, url }) {
  const { Client } = createRequire(join(ROOT, 'libs', 'database', 'package.json'))('pg');
  const client = new Client({ connectionString: url });
  console.log(`${folder}\n${url}`);
  try {
    await client.connect();
    const { rows } = await client.query(query);
    console.table(rows);
  } catch (error) {
    console.error(`${error.message || error.code}\n`);
    process.exitCode = 1;
  } finally {
    await client.end();
  }
}

/** Where a server's own files say that it listens; nothing when none runs there. */
function findAddress(folder) {
  const place = existsSync(join(folder, 'location')) ? readFileSync(join(folder, 'location'), 'utf8').trim() : folder;
  const data = join(place, 'data');
  if (!existsSync(join(data, 'postmaster.pid'))) return [];
  const port = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3]?.trim();
  const password = readFileSync(join(data, 'weir.password'), 'utf8').trim();
  return [{ folder, url: `postgresql://weir:${encodeURIComponent(password)}@127.0.0.1:${port}/${values.database}` }];
}

/** `weir-tests-<run>/weir-<test>/postgres`, the newest first, and the server that specs without a gateway share. */
function listTestFolders() {
  const below = (folder, prefix) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(folder, name));
  const runs = below(tmpdir(), 'weir-tests-').sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const ofGateways = runs.flatMap((run) => below(run, 'weir-')).map((folder) => join(folder, 'postgres'));
  const places = [tmpdir(), '/dev/shm'].filter((folder) => existsSync(folder));
  return [...ofGateways, ...places.flatMap((folder) => below(folder, 'weir-test-postgres-'))];
}
