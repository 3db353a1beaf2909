// Writes what the console is compiled against: the OpenAPI document of libs/api-description, read from its sources so that nothing has
// to be built before, and its types. Both are in src/generated, which git ignores.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { readApiDocument } from '../../tools/setup/read-api-document.mjs';

const FOLDER = import.meta.dirname;
const TARGET = join(FOLDER, 'src', 'generated');

const document = await readApiDocument();
const types = astToString(await openapiTypescript(document));

mkdirSync(TARGET, { recursive: true });
writeFileSync(join(TARGET, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(join(TARGET, 'api.ts'), `// Written by generate-client.mjs.\n${types}`);
