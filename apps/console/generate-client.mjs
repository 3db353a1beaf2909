// Writes what the console is compiled against: the OpenAPI document of libs/api-description, read from its sources so that nothing has
// to be built before, and its types. Both are in src/generated, which git ignores.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { runnerImport } from 'vite';

const FOLDER = import.meta.dirname;
const TARGET = join(FOLDER, 'src', 'generated');
const LIBRARIES = join(FOLDER, '..', '..', 'libs');

const { module } = await runnerImport(join(LIBRARIES, 'api-description', 'src', 'index.ts'), {
  configFile: false,
  logLevel: 'error',
  // By place and not by name: a package's own entry is what it is built to, and may not be there yet or be an old one.
  resolve: { alias: [{ find: /^@weir\/([a-z-]+)$/, replacement: join(LIBRARIES, '$1', 'src', 'index.ts') }] },
});
const document = module.createApiDocument();
const types = astToString(await openapiTypescript(document));

mkdirSync(TARGET, { recursive: true });
writeFileSync(join(TARGET, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(join(TARGET, 'api.ts'), `// Written by generate-client.mjs.\n${types}`);
