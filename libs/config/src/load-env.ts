import { readFileSync } from 'node:fs';
import type { z } from 'zod';

type EnvSource = Readonly<Record<string, string | undefined>>;

/** Everything wrong with an environment, in words an operator can act on. */
export class EnvError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`the environment is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'EnvError';
  }
}

/**
 * Parses `source` (the process environment unless given) by `schema` and freezes the result. Every variable may also be
 * given as `<NAME>_FILE`, the path of a file that holds the value. Throws one EnvError that lists all problems.
 */
export function loadEnv<Schema extends z.ZodObject>(schema: Schema, source: EnvSource = process.env): Readonly<z.infer<Schema>> {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = readValue(name, source, problems);
    if (value !== undefined && value !== '') values[name] = value;
  }
  const parsed = schema.safeParse(values);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  if (problems.length > 0 || !parsed.success) throw new EnvError(problems);
  return Object.freeze(parsed.data);
}

/** Looks up single variables whose names are only known at run time (`PROVIDER_<ID>_API_KEY`), with the same `_FILE` rule. */
export function createEnvLookup(source: EnvSource = process.env): (name: string) => string | undefined {
  return (name) => {
    const problems: string[] = [];
    const value = readValue(name, source, problems);
    if (problems.length > 0) throw new EnvError(problems);
    return value === '' ? undefined : value;
  };
}

function readValue(name: string, source: EnvSource, problems: string[]): string | undefined {
  const path = source[`${name}_FILE`];
  if (path === undefined || path === '') return source[name];
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch (error) {
    problems.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
    return undefined;
  }
}
