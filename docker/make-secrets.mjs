// Makes an installation's secrets once, a file each, in the folder given; those that exist stay as they are.
//   node docker/make-secrets.mjs <folder>
// BOOTSTRAP_API_KEY is taken from the environment when it is set there.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
if (folder === undefined) {
  console.error('which folder? node docker/make-secrets.mjs <folder>');
  process.exit(1);
}

const random = () => randomBytes(32).toString('base64url');
const path = (name) => join(folder, name);

/** Readable to all who mount the folder: its services run as different users. */
function keep(name, make) {
  if (!existsSync(path(name))) writeFileSync(path(name), make(), { mode: 0o444 });
  return readFileSync(path(name), 'utf8');
}

keep('key-pepper', random);
keep('passport-secret', random);
keep('sealing-key', random);
keep('grafana-password', random);
const databasePassword = keep('database-password', random);
keep('database-url', () => `postgres://weir:${databasePassword}@postgres:5432/weir`);
const isNew = !existsSync(path('bootstrap-api-key'));
const apiKey = keep('bootstrap-api-key', () => process.env.BOOTSTRAP_API_KEY || `weir_first_${random()}`);
if (isNew) console.log(`Administrator key (kept in ${path('bootstrap-api-key')}): ${apiKey}`);
