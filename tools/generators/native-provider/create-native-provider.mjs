// Creates a native provider: `npm run new:native-provider -- <id> [--base-url https://…]`.
// Files that compile and refuse requests until they are filled in, and the line in the address book.
import { parseArgs } from 'node:util';
import { applyPlan, readText, REPOSITORY, runGenerator } from '../edit/apply-plan.mjs';
import { addImport, addToList, toConstant, toPascal } from '../edit/edit-text.mjs';
import { createProviderFiles } from './provider-files.mjs';

const NATIVE = 'libs/providers/src/native';

runGenerator('new:native-provider', () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'base-url': { type: 'string' }, root: { type: 'string', default: REPOSITORY } },
  });
  const [id] = positionals;
  if (!id || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) throw new Error('a kebab-case id is needed');
  const book = readText(values.root, `${NATIVE}/index.ts`);
  if (book === undefined) throw new Error(`${NATIVE}/index.ts is not there`);
  if (book.includes(`id: '${id}'`)) throw new Error(`${id} has a line in the address book already`);

  const files = createProviderFiles(id);
  applyPlan(values.root, {
    added: Object.fromEntries(Object.entries(files).map(([name, text]) => [`${NATIVE}/${id}/${name}.ts`, text])),
    changed: { [`${NATIVE}/index.ts`]: addToBook(book, id, values['base-url'] ?? `https://api.${id}.example/v1`) },
  });
  console.log(`next: fill in the files; its models are rows in libs/model-catalog/data/models`);
});

function addToBook(book, id, baseUrl) {
  const row = `  {
    id: '${id}',
    folder: '${id}',
    baseUrl: '${baseUrl}',
    env: { apiKey: ['${toConstant(id)}_API_KEY'], baseUrl: ['${toConstant(id)}_BASE_URL'] },
    create: create${toPascal(id)}Provider,
  },
`;
  const withImport = addImport(book, `import { create${toPascal(id)}Provider } from './${id}';`);
  return addToList(withImport, 'export const NATIVE_PROVIDERS', row);
}
