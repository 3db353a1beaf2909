import { parseArgs } from 'node:util';
import { syncCatalog } from './sync-catalog';

const USAGE = 'usage: node tools/catalog-sync/dist/main.js <source folder> --as-of 2026-08-22 [--target libs/model-catalog]';

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'as-of': { type: 'string' }, target: { type: 'string', default: 'libs/model-catalog' } },
  });
  const [source] = positionals;
  const asOf = values['as-of'];
  if (source === undefined || asOf === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(asOf)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const { models, ...lists } = syncCatalog({ source, target: values.target, asOf });
  console.log(`${models} models written`);
  for (const [what, items] of Object.entries(lists)) {
    if (items.length > 0) console.log(`${what}: ${items.length}\n  ${items.slice(0, 20).join('\n  ')}${items.length > 20 ? '\n  …' : ''}`);
  }
}

main();
