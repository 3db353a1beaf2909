// Creates a management endpoint: `npm run new:management-route -- <area> <name> --method POST --path /v1/manage/…`.
// Its row in the endpoint table, the shape of its body, the route, a spec, and its line in the address book.
import { parseArgs } from 'node:util';
import { applyPlan, readText, REPOSITORY, runGenerator } from '../edit/apply-plan.mjs';
import { addImport, addToList, toCamel } from '../edit/edit-text.mjs';

const ROUTES = 'apps/management-api/src/routes';
const CONTRACTS = 'libs/contracts/src';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

runGenerator('new:management-route', () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { method: { type: 'string' }, path: { type: 'string' }, root: { type: 'string', default: REPOSITORY } },
  });
  const route = { area: positionals[0], name: positionals[1], method: values.method, path: values.path };
  checkRoute(route);
  const need = (path) => readText(values.root, path) ?? refuse(`${path} is not there`);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';

  applyPlan(values.root, {
    added: {
      [`${ROUTES}/${route.area}/${route.name}.route.ts`]: createRoute(route, hasBody),
      [`${ROUTES}/${route.area}/${route.name}.route.spec.ts`]: createSpec(route),
    },
    changed: {
      [`${CONTRACTS}/endpoints.ts`]: addRow(need(`${CONTRACTS}/endpoints.ts`), route, hasBody),
      [`${ROUTES}/index.ts`]: addToBook(need(`${ROUTES}/index.ts`), route),
      ...(hasBody ? planSchema(values.root, route, need(`${CONTRACTS}/index.ts`)) : {}),
    },
  });
  console.log(
    'next: say in the endpoint row who may call it, fill in the body and the route, describe it in libs/api-description, add its end-to-end cases',
  );
});

function checkRoute({ area, name, method, path }) {
  if (!KEBAB.test(area ?? '') || !KEBAB.test(name ?? '')) refuse('a kebab-case area and a kebab-case name are needed');
  if (!METHODS.includes(method)) refuse(`--method must be one of ${METHODS.join(', ')}`);
  if (!/^\/v1\/manage\/[a-z0-9:_/-]+$/.test(path ?? '')) refuse('--path must start with /v1/manage/');
}

function refuse(reason) {
  throw new Error(reason);
}

function createRoute({ name }, hasBody) {
  const body = hasBody ? `${toCamel(name)}Body` : 'noBody';
  return `${hasBody ? `import { ${body} } from '@weir/contracts';\n` : ''}import { GatewayError } from '@weir/errors';
import { defineRoute${hasBody ? '' : ', noBody'} } from '../../route/route';

export const ${toCamel(name)} = defineRoute({
  id: '${name}',
  body: ${body},
  run: () => Promise.reject(new GatewayError('not_found', 'This endpoint does not do anything yet.')),
});
`;
}

function createSpec({ name }) {
  return `import { getEndpoint } from '@weir/contracts';
import { ${toCamel(name)} } from './${name}.route';

describe('${name}', () => {
  it('has its row in the endpoint table', () => {
    expect(getEndpoint(${toCamel(name)}.id)).toMatchObject({ service: 'management-api' });
  });
});
`;
}

function addRow(table, { name, method, path }, hasBody) {
  if (table.includes(`manage('${name}'`)) refuse(`${name} has a row in the endpoint table already`);
  const more = method === 'DELETE' && !hasBody ? ", body: 'none'" : '';
  return addToList(table, 'export const ENDPOINTS', `  manage('${name}', '${method} ${path}', { who: 'organization-admin'${more} }),\n`);
}

function addToBook(book, { area, name }) {
  const withImport = addImport(book, `import { ${toCamel(name)} } from './${area}/${name}.route';`);
  return addToList(withImport, 'export const ROUTES', `  ${toCamel(name)},\n`);
}

function planSchema(root, { area, name }, index) {
  const path = `${CONTRACTS}/management/${area}.ts`;
  const before = readText(root, path) ?? "import { z } from 'zod';\n";
  const schema = `\nexport const ${toCamel(name)}Body = z.strictObject({});\n`;
  const line = `export * from './management/${area}';`;
  return {
    [path]: before.trimEnd() + '\n' + schema,
    ...(index.includes(line) ? {} : { [`${CONTRACTS}/index.ts`]: `${index.trimEnd()}\n${line}\n` }),
  };
}
