import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CheckoutName } from './samples';

/** A built working copy of the repository whose gateway is measured. */
export type Checkout = { readonly name: CheckoutName; readonly folder: string };

const HERE = resolve(__dirname, '../../../..');

export function listCheckouts(before: string | undefined): Checkout[] {
  const checkouts: Checkout[] = [
    ...(before === undefined ? [] : [{ name: 'before' as const, folder: before }]),
    { name: 'now', folder: HERE },
  ];
  for (const { folder } of checkouts) {
    if (!existsSync(join(folder, 'apps/standalone/dist/main.js'))) throw new Error(`${folder} is not built; run npm run build there first`);
  }
  return checkouts;
}

/** What the checkout's own `npm start` gives the engine. */
export function readStartFlags({ folder }: Checkout): string[] {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts?: Record<string, string> };
  return parseStartFlags(scripts['start'] ?? '');
}

export function parseStartFlags(script: string): string[] {
  const [program, ...words] = script.split(/\s+/);
  const end = words.findIndex((word) => !word.startsWith('-'));
  if (program !== 'node' || end < 0) throw new Error(`npm start is not a program of Node: ${script}`);
  return words.slice(0, end);
}
