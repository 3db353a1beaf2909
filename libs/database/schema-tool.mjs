// Prisma's own schema engine without its download: it comes as WebAssembly from npm.
// Both commands need the address of some running database; diff does not look into it.
//   node schema-tool.mjs diff <url> [old]   prints the SQL that leads from an old schema (a file, a folder, or nothing) to prisma/schema
//   node schema-tool.mjs drift <url>        exits 1 when the migrated database differs from prisma/schema
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

const require = createRequire(import.meta.url);
const FOLDER = import.meta.dirname;
const NO_FILTER = { externalTables: [], externalEnums: [] };
/** Postgres' "char": the adapter does not know it, the engine reads catalogues with it. */
const OID_CHAR = 18;
const OID_TEXT = 25;

async function loadSchemaEngine() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message(message) {
      throw new Error(`schema engine: ${message}`);
    },
  };
  const script = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings = await import(pathToFileURL(script).href);
  const wasm = readFileSync(script.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine;
}

function readSchema(path = join(FOLDER, 'prisma', 'schema')) {
  if (!statSync(path).isDirectory()) return [{ path: 'schema.prisma', content: readFileSync(path, 'utf8') }];
  return readdirSync(path)
    .filter((name) => name.endsWith('.prisma'))
    .map((name) => ({ path: name, content: readFileSync(join(path, name), 'utf8') }));
}

function withCharColumns(queryable) {
  const charColumns = new WeakMap();
  const performIO = queryable.performIO.bind(queryable);
  const queryRaw = queryable.queryRaw.bind(queryable);
  queryable.performIO = async (query) => {
    const result = await performIO(query);
    const found = (result.fields ?? []).flatMap((field, index) => (field.dataTypeID === OID_CHAR ? [index] : []));
    for (const index of found) result.fields[index].dataTypeID = OID_TEXT;
    charColumns.set(query, found);
    return result;
  };
  queryable.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(query) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return queryable;
}

async function createEngine(url) {
  const SchemaEngine = await loadSchemaEngine();
  const factory = new PrismaPg({ connectionString: url });
  for (const name of ['connect', 'connectToShadowDb']) {
    const connect = factory[name].bind(factory);
    factory[name] = async () => withCharColumns(await connect());
  }
  const datamodels = readSchema().map(({ path, content }) => [path, content]);
  return SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

async function printDiff(url, oldSchemaPath) {
  const engine = await createEngine(url);
  const from = oldSchemaPath === undefined ? { tag: 'empty' } : { tag: 'schemaDatamodel', files: readSchema(oldSchemaPath) };
  const to = { tag: 'schemaDatamodel', files: readSchema() };
  const result = await engine.diff({ from, to, script: true, shadowDatabaseUrl: null, exitCode: null, filters: NO_FILTER });
  process.stdout.write(result.stdout ?? '');
}

async function checkDrift(url) {
  const engine = await createEngine(url);
  const result = await engine.schemaPush({ schema: { files: readSchema() }, force: false, filters: NO_FILTER });
  const problems = [...(result.unexecutable ?? []), ...(result.warnings ?? [])];
  if (result.executedSteps === 0 && problems.length === 0) return process.stdout.write('no drift\n');
  process.stdout.write(`the migrations do not lead to prisma/schema: ${result.executedSteps} steps missing\n${problems.join('\n')}\n`);
  process.exitCode = 1;
}

const [command, url, oldSchemaPath] = process.argv.slice(2);
if (command === 'diff' && url !== undefined) await printDiff(url, oldSchemaPath);
else if (command === 'drift' && url !== undefined) await checkDrift(url);
else {
  process.stderr.write('usage: node schema-tool.mjs diff <url> [old] | drift <url>\n');
  process.exitCode = 2;
}
process.exit();
