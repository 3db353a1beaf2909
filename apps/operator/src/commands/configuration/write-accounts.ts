import { readAccountDocument, showAccount, type AccountSpec } from '@weir/providers';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../command';
import type { Documents } from './read-documents';

type FieldChange = { readonly field: string; readonly before: unknown; readonly after: unknown };
type AccountChange = {
  readonly action: 'create' | 'update' | 'delete';
  /** `openai/eu-1`. */
  readonly account: string;
  readonly changes: readonly FieldChange[];
};

export type AccountsChange = { readonly applied: boolean; readonly file: string; readonly changes: readonly AccountChange[] };

type Asked = {
  readonly wanted: NonNullable<Documents['accounts']>;
  /** The file that `PROVIDER_ACCOUNTS_FILE` names. */
  readonly file: string | undefined;
  readonly ownProviders: readonly unknown[];
  /** Accounts that the document does not list go. */
  readonly prune: boolean;
  readonly isDone: boolean;
};

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

/** Compares the file of accounts with a document, and writes it where that is asked for and something differs. Processes follow it. */
export function writeAccounts({ wanted, file, ownProviders, prune, isDone }: Asked): AccountsChange {
  if (file === undefined)
    throw new UsageError(`${wanted.place}: PROVIDER_ACCOUNTS_FILE does not say where the gateway has its accounts at providers.`);
  const specs = index(readAccountDocument(wanted.accounts, wanted.place, ownProviders));
  const there = index(readFile(file));
  const after = new Map([...there].filter(([name]) => !prune || specs.has(name)));
  for (const [name, spec] of specs) after.set(name, spec);
  const changes = compare(there, after);
  if (isDone && changes.length > 0) write(file, [...after.values()]);
  return { applied: isDone && changes.length > 0, file, changes };
}

function index(specs: readonly AccountSpec[]): Map<string, AccountSpec> {
  return new Map(specs.map((spec) => [`${spec.provider}/${spec.id}`, spec]));
}

/** What is there was read by the gateway, or will be complained of by it: it is compared as it is. */
function readFile(file: string): readonly AccountSpec[] {
  if (!existsSync(file)) return [];
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly accounts: readonly AccountSpec[] }).accounts;
  } catch (error) {
    throw new Error(`${file} cannot be read as a file of accounts.`, { cause: error });
  }
}

function compare(there: ReadonlyMap<string, AccountSpec>, after: ReadonlyMap<string, AccountSpec>): AccountChange[] {
  const names = [...new Set([...there.keys(), ...after.keys()])].sort();
  return names.flatMap((account): AccountChange[] => {
    const [was, is] = [there.get(account), after.get(account)];
    const action = was === undefined ? 'create' : is === undefined ? 'delete' : 'update';
    const changes = is === undefined ? [] : compareFields(was, is);
    return action === 'update' && changes.length === 0 ? [] : [{ action, account, changes }];
  });
}

function compareFields(was: AccountSpec | undefined, is: AccountSpec): FieldChange[] {
  const [before, after] = [was === undefined ? {} : showAccount(was), showAccount(is)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => field !== 'id' && field !== 'provider' && !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}

/** As a whole, so that a process that reads it at any moment reads the old one or the new one. */
function write(file: string, accounts: readonly AccountSpec[]): void {
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify({ accounts }, null, 2)}\n`, { mode });
    renameSync(`${file}.new`, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new Error(`${file} cannot be written (${code}). Where it is mounted, change what it is mounted from.`, { cause: error });
  }
}

export function describeAccounts({ file, changes, applied }: AccountsChange): string {
  if (changes.length === 0) return '';
  const lines = changes.flatMap(({ action, account, changes: fields }) => [
    `${SIGNS[action]} account ${account}`,
    ...fields.map(({ field, before, after }) => `    ${field}: ${before === undefined ? '' : `${word(before)} → `}${word(after)}`),
  ]);
  return `${[...lines, ...(applied ? [`${file} is written: every process that has it follows within seconds`] : [])].join('\n')}\n`;
}

function word(value: unknown): string {
  return value === undefined ? '(nothing)' : JSON.stringify(value);
}
