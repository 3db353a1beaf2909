import type { z } from 'zod';
import { findFieldProblem } from '../accounts/create-provider-accounts';
import type { ReadEnv } from '../settings/provider-settings';
import { accountFile, fieldsOf, type AccountSpec } from './account-spec.schema';

/** What is wrong with accounts as an operator wrote them. The message names the place, and nothing that stands there. */
export class AccountsUnreadable extends Error {
  constructor(place: string, problems: readonly string[]) {
    super(`${place}: ${problems.slice(0, PROBLEMS_SHOWN).join('; ')}`);
    this.name = 'AccountsUnreadable';
  }
}

const PROBLEMS_SHOWN = 10;

/** Reads the text of a file of accounts. Throws `AccountsUnreadable`. */
export function readAccountSpecs(text: string, place: string, known: readonly string[]): AccountSpec[] {
  const read = accountFile.safeParse(parseJson(text, place));
  if (!read.success) throw new AccountsUnreadable(place, read.error.issues.map(describeIssue));
  checkSpecs(read.data.accounts, place, known);
  return read.data.accounts;
}

/** Reads `PROVIDER_<ID>_ACCOUNTS` of all providers: a JSON list of the same accounts, without their `provider`. */
export function readAccountVariables(env: ReadEnv, known: readonly string[]): AccountSpec[] {
  return known.flatMap((provider) => {
    const name = `PROVIDER_${provider.toUpperCase().replaceAll('-', '_')}_ACCOUNTS`;
    const text = env(name)?.trim() ?? '';
    if (text === '') return [];
    const list = parseJson(text, name);
    if (!Array.isArray(list)) throw new AccountsUnreadable(name, ['must be a JSON list of accounts']);
    const accounts = list.map((account: unknown) => (isObject(account) ? { provider, ...account } : account));
    const read = accountFile.safeParse({ accounts });
    if (!read.success) throw new AccountsUnreadable(name, read.error.issues.map(describeIssue));
    checkSpecs(read.data.accounts, name, [provider]);
    return read.data.accounts;
  });
}

/** Throws where two accounts of one provider have one id. */
export function checkUnique(specs: readonly AccountSpec[], place: string): void {
  const seen = new Set<string>();
  for (const { provider, id } of specs) {
    const name = `${provider} ${id}`;
    if (seen.has(name)) throw new AccountsUnreadable(place, [`there are two accounts "${id}" at ${provider}`]);
    seen.add(name);
  }
}

function checkSpecs(specs: readonly AccountSpec[], place: string, known: readonly string[]): void {
  const problems = specs.flatMap((spec, index) => {
    const at = `accounts[${index}] ("${spec.id}")`;
    if (!known.includes(spec.provider) || spec.provider === SANDBOX) return [`${at}: the provider "${spec.provider}" is not known`];
    const problem = findSpecProblem(spec);
    return problem === undefined ? [] : [`${at}: ${problem}`];
  });
  if (problems.length > 0) throw new AccountsUnreadable(place, problems);
  checkUnique(specs, place);
}

/** It needs no account. */
const SANDBOX = 'sandbox';

function findSpecProblem(spec: AccountSpec): string | undefined {
  const fields = fieldsOf(spec);
  // A server of one's own may want no key.
  if (Object.keys(fields).length === 0 && spec.base_url !== undefined) return undefined;
  const written = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : '']));
  const problem = findFieldProblem(spec.provider, written, (name) => typeof fields[name] === 'string');
  return problem && `${problem.field ?? 'fields'} ${problem.message}`;
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `${place.replace(/^\./, '') || 'the whole'}: ${message}`;
}

/** What the parser says of a text that is no JSON repeats a part of it, which may be a secret. */
function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw new AccountsUnreadable(place, [
      position === undefined ? 'is no JSON' : `is no JSON, from line ${lineOf(text, Number(position))} on`,
    ]);
  }
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
