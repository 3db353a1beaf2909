import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { explainIssue } from './explain-issue';
import { findMisspelt } from './find-misspelt';

type EnvSource = Readonly<Record<string, string | undefined>>;

/** Everything wrong with an environment, in words an operator can act on. */
export class EnvError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`the environment is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'EnvError';
  }
}

/** Throws where settings that are good by themselves do not fit together. */
type EnvCheck<Env> = (env: Env) => unknown;

/**
 * Parses `source` (the process environment unless given) by `schema` and freezes the result. Every variable may also be
 * given as `<NAME>_FILE`, the path of a file that holds the value. Throws one EnvError that lists all problems, those that `checks`
 * find among them.
 */
export function loadEnv<Schema extends z.ZodObject>(
  schema: Schema,
  source: EnvSource = process.env,
  checks: readonly EnvCheck<Readonly<z.infer<Schema>>>[] = [],
): Readonly<z.infer<Schema>> {
  const names = Object.keys(schema.shape);
  const problems: string[] = [];
  const unusable = new Set<string>();
  const parsed: Record<string, unknown> = {};
  for (const name of names) {
    const read = readSetting(name, schema.shape[name] as z.ZodType, source);
    if (read.problems.length === 0 && read.value !== undefined) parsed[name] = read.value;
    if (read.problems.length > 0) unusable.add(name);
    problems.push(...read.problems);
  }
  for (const check of checks) problems.push(...runCheck(check, parsed as z.infer<Schema>, unusable));
  if (problems.length > 0) {
    const misspelt = findMisspelt(Object.keys(source), names).map(({ name, meant }) => `${name}: is not known, did you mean ${meant}?`);
    throw new EnvError([...new Set([...problems, ...misspelt])]);
  }
  return Object.freeze(parsed as z.infer<Schema>);
}

function readSetting(
  name: string,
  schema: z.ZodType,
  source: EnvSource,
): { readonly value?: unknown; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const text = readValue(name, source, problems);
  // One that cannot be read is not missing besides.
  if (problems.length > 0) return { problems };
  const { success, data, error } = schema.safeParse(text === '' ? undefined : text, { error: explainIssue });
  return success ? { value: data, problems } : { problems: error.issues.map(({ path, message }) => describeProblem(name, path, message)) };
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

/** Logs the variables that are set and known to no one, where their names are nearly those of settings. `more`: settings beside those of `schema`. */
export function warnOfMisspelt(
  schema: z.ZodObject,
  log: { warn(about: object, message: string): void },
  more: readonly string[] = [],
  source: EnvSource = process.env,
): void {
  for (const { name, meant } of findMisspelt(Object.keys(source), [...Object.keys(schema.shape), ...more]))
    log.warn({ setting: name, meant }, `the setting ${name} is not known and has no effect; did you mean ${meant}?`);
}

/** What a check finds is left out where it names a setting that has a problem of its own: it may only follow from that. */
function runCheck<Env>(check: EnvCheck<Env>, env: Env, unusable: ReadonlySet<string>): readonly string[] {
  try {
    check(env);
    return [];
  } catch (error) {
    const found = error instanceof EnvError ? error.problems : [error instanceof Error ? error.message : String(error)];
    return found.filter((problem) => !(problem.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []).some((name) => unusable.has(name)));
  }
}

function describeProblem(name: string, path: readonly PropertyKey[], message: string): string {
  const inside = path.map((key) => (typeof key === 'number' ? `entry ${key + 1}` : String(key)));
  return [name, ...inside, message].join(': ');
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
