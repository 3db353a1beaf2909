import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';
import type { ListFormat } from '@weir/model-catalog';
import { readFileSync } from 'node:fs';
import { UsageError, type CommandTools, type OpenDeployment } from '../command';

/** The largest list that is published has some megabytes. */
const LIST_BYTES_MAX = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export type Source = { readonly name: string; readonly text: string };

type SourceAsk = {
  readonly source: string;
  readonly format: ListFormat;
  readonly keyEnv: string | undefined;
  readonly keyFile: string | undefined;
};

/** A list of models from a file or an address. Its key is read from where it is kept, and appears nowhere. */
type SourceTools = Pick<CommandTools, 'variable'> & Pick<OpenDeployment, 'fetchRules'>;

export async function readSource(ask: SourceAsk, tools: SourceTools): Promise<Source> {
  const { source } = ask;
  if (!/^https?:\/\//i.test(source)) return { name: source, text: readText(source) };
  if (!URL.canParse(source)) throw new UsageError('--source is no address.');
  const url = new URL(source);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--source takes no user and password: name where the key is kept by --key-env or --key-file.');
  const { ports, networks } = tools.fetchRules;
  const fetcher = createGuardedFetcher({ ports, isAllowedAddress: createAddressRule(networks), timeoutMs: TIMEOUT_MS });
  const headers = describeHeaders(ask.format, readKey(ask, tools));
  const { status, text } = await fetcher.read({ url: source, field: 'source', owner: 'operator', headers, bytesMax: LIST_BYTES_MAX });
  if (status !== 200) throw new Error(`The source replied with status ${status}.`);
  if (Buffer.byteLength(text) >= LIST_BYTES_MAX) throw new Error(`The list is larger than ${LIST_BYTES_MAX} bytes.`);
  return { name: `${url.origin}${url.pathname}`, text };
}

function describeHeaders(format: ListFormat, key: string | undefined): Record<string, string> {
  const { keyHeader = undefined, headers = {} } = format.shape === 'ids' ? format : {};
  if (key === undefined) return headers;
  return { ...headers, ...(keyHeader === undefined ? { authorization: `Bearer ${key}` } : { [keyHeader]: key }) };
}

function readKey({ keyEnv, keyFile }: SourceAsk, { variable }: SourceTools): string | undefined {
  if (keyFile !== undefined) return readText(keyFile).trim();
  if (keyEnv === undefined) return undefined;
  const key = variable(keyEnv);
  if (key === undefined || key === '') throw new UsageError(`The variable ${keyEnv} is not set.`);
  return key;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
