// Writes the clients of the management interface from the sources of libs/api-description:
//   node clients/generate-clients.mjs [typescript] [python]      both unless named
// TypeScript needs nothing but this checkout. Python needs python3 (3.11 or newer; PYTHON names another) with venv, and fetches its generator once, at the versions and
// checksums of python/generator-requirements.txt. What is written is in folders that git ignores.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { readApiDocument } from '../tools/setup/read-api-document.mjs';
import { openWords, selectManagement } from './select-management.mjs';

const FOLDER = import.meta.dirname;
const WORK = join(FOLDER, '..', '.tmp', 'clients');
const HEAD = '// Written by clients/generate-clients.mjs from the OpenAPI document; do not edit it by hand.';

const GENERATORS = { typescript: generateTypescript, python: generatePython };
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GENERATORS);
for (const name of wanted.filter((one) => !(one in GENERATORS))) {
  fail(`there is no client for ${name}, only for ${Object.keys(GENERATORS).join(' and ')}`);
}
const document = selectManagement(await readApiDocument());
for (const name of wanted) await GENERATORS[name]();

async function generateTypescript() {
  const types = astToString(await openapiTypescript(document));
  const target = join(FOLDER, 'typescript', 'src', 'generated');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'schema.ts'), `${HEAD}\n${types}`);
}

function generatePython() {
  const python = openPythonEnvironment();
  const input = join(WORK, 'management.json');
  writeFileSync(input, JSON.stringify(openWords(document)));
  const target = join(FOLDER, 'python', 'weir_management');
  rmSync(target, { recursive: true, force: true });
  const args = [
    'generate',
    '--path',
    input,
    '--meta',
    'none',
    '--output-path',
    target,
    '--config',
    join(FOLDER, 'python', 'generator.yaml'),
  ];
  run(python, ['-m', 'openapi_python_client', ...args, '--fail-on-warning']);
  writeFileSync(join(target, 'py.typed'), '');
  nameMembers(join(target, 'api'));
}

/**
 * The generator writes the members of a parameter like `filter` as parameters of their own, as no style of OpenAPI has it: they
 * are to be `filter[member]`. Fails when it has come to write that in another way.
 */
function nameMembers(folder) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const expected = operations.flatMap(({ parameters = [] }) => parameters).filter(({ style }) => style === 'deepObject').length;
  let named = 0;
  for (const path of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.py'))) {
    const text = readFileSync(join(folder, path), 'utf8');
    const written = text.replace(/params\.update\((json_(\w+?)_?)\)/g, (_, variable, name) => {
      named += 1;
      return `params.update({f"${name}[{member}]": value for member, value in ${variable}.items()})`;
    });
    if (written !== text) writeFileSync(join(folder, path), written);
  }
  if (named !== expected) fail(`${named} of ${expected} parameters with members were found in the Python client`);
}

/** Made once for a set of requirements. Returns its interpreter. */
function openPythonEnvironment() {
  const requirements = join(FOLDER, 'python', 'generator-requirements.txt');
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const environment = join(WORK, 'python');
  const python = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const stamp = join(environment, 'complete');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;
  mkdirSync(WORK, { recursive: true });
  run(process.env.PYTHON ?? 'python3', ['-m', 'venv', '--clear', environment]);
  run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-compile',
    '--require-hashes',
    '--requirement',
    requirements,
  ]);
  writeFileSync(stamp, wanted);
  return python;
}

/** The output is shown where the command failed. */
function run(command, args) {
  try {
    // The generator's own tools are beside its interpreter.
    execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', env: { ...process.env, PATH: pathWith(command) } });
  } catch (error) {
    fail(`${command} ${args.join(' ')} failed:\n${error.stdout ?? error.message}${error.stderr ?? ''}`);
  }
}

function pathWith(command) {
  const separator = process.platform === 'win32' ? ';' : ':';
  return command.includes('/') ? `${join(command, '..')}${separator}${process.env.PATH}` : process.env.PATH;
}

function fail(why) {
  console.error(`clients: ${why}`);
  process.exit(1);
}
