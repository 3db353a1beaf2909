// The OpenAPI document of libs/api-description, read from its sources, so that nothing has to be built before.
import { join } from 'node:path';
import { runnerImport } from 'vite';

const LIBRARIES = join(import.meta.dirname, '..', '..', 'libs');

export async function readApiDocument() {
  const { module } = await runnerImport(join(LIBRARIES, 'api-description', 'src', 'index.ts'), {
    configFile: false,
    logLevel: 'error',
    // By place and not by name: a package's own entry is what it is built to, and may not be there yet or be an old one.
    resolve: { alias: [{ find: /^@weir\/([a-z-]+)$/, replacement: join(LIBRARIES, '$1', 'src', 'index.ts') }] },
  });
  return module.createApiDocument();
}
