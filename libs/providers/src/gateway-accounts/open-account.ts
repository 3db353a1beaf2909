import type { UpstreamTransport } from '@weir/upstream-http';
import type { Provider } from '../provider/provider';
import { findFieldProblem } from '../accounts/create-provider-accounts';
import { createProviderDirectory } from '../directory/provider-directory';
import type { CompatibleRows } from '../directory/compatible-rows';
import { formOf } from '../settings/account-forms';
import type { ReadEnv } from '../settings/provider-settings';
import type { AccountSpec } from './account-spec.schema';

type AccountParts = { readonly env: ReadEnv; readonly transport: UpstreamTransport; readonly rows?: CompatibleRows | undefined };

/** What is wrong with an account whose secrets are known. Names fields, never what is in them. */
export class AccountUnusable extends Error {}

const ADDRESS = /_(?:BASE|API)_URL$/;
const CONFORMS = /_CONFORMS$/;

/**
 * The providers that an account opens, by id: its own, and those of the same vendor that share its account. Throws
 * `AccountUnusable`.
 */
export function openAccount(
  spec: AccountSpec,
  fields: Readonly<Record<string, string>>,
  { env, transport, rows }: AccountParts,
): ReadonlyMap<string, Provider> {
  const { provider: own, base_url: address } = spec;
  const problem = Object.keys(fields).length === 0 && address !== undefined ? undefined : findFieldProblem(own, fields);
  if (problem !== undefined) throw new AccountUnusable(`${problem.field ?? 'it'} ${problem.message}`);
  const { fields: rules } = formOf(own);
  const prefix = `PROVIDER_${own.toUpperCase().replaceAll('-', '_')}`;
  const settings = new Map<string | undefined, string>(Object.entries(fields).map(([name, value]) => [rules[name]?.setting, value]));
  if (address !== undefined) settings.set(`${prefix}_BASE_URL`, address);
  const around: ReadEnv = (name) => (ADDRESS.test(name) || CONFORMS.test(name) ? env(name) : undefined);
  const opened = createProviderDirectory({ env: (name) => settings.get(name) ?? around(name), transport, rows });
  // Servers of the operator's own that want no key are there without the account.
  const others = createProviderDirectory({ env: around, transport, rows });
  const found = new Map<string, Provider>();
  for (const id of opened.known()) {
    const provider = opened.find(id);
    if (provider !== undefined && (id === own || !others.isConfigured(id))) found.set(id, provider);
  }
  if (!found.has(own)) throw new AccountUnusable('it is not complete');
  return found;
}
