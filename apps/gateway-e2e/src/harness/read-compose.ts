import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './run-process';

type ComposeService = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
};

export type Compose = { readonly services: Readonly<Record<string, ComposeService>> } & Readonly<Record<string, unknown>>;

/** `docker/compose.yaml` with its anchors resolved. */
export function readCompose(): Compose {
  return parse(readFileSync(join(ROOT, 'docker', 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
}

/** As compose fills in `${NAME:-default}`, with nothing set outside. */
export function interpolate(text: string): string {
  return text.replace(/\$\{\w+(?::-([^}]*))?\}/g, (_, fallback: string | undefined) => fallback ?? '');
}
