import { createLossReport } from '@weir/canonical';
import { isAccountRefusal, type GatewayError } from '@weir/errors';
import { createCancellation, readLimited } from '@weir/upstream-http';
import { urlOfCall, type Provider } from '../provider/provider';
import type { EncodedCall, ProviderTarget } from '../provider/target';
import { cleanText } from '../failures/clean-text';
import { createProviderDirectory, type ProviderDirectoryParts } from '../directory/provider-directory';
import { createCompatibleRows } from '../directory/compatible-rows';
import { formOf } from '../settings/account-forms';

/** Fields of an account by name; a provider that wants one key only has `api_key`. */
export type AccountFields = Readonly<Record<string, string>>;

type AccountProblem = {
  readonly kind: 'unknown-provider' | 'unknown-field' | 'value';
  readonly field?: string;
  readonly message: string;
};

type AccountProbe = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Accounts at providers that belong to an organization instead of the installation. */
export type ProviderAccounts = {
  findProblem(providerId: string, fields: AccountFields): AccountProblem | undefined;
  /** The value people recognize an account by; empty where there is none. */
  secretOf(providerId: string, fields: AccountFields): string;
  /** The provider with this account instead of the installation's; undefined when they do not fit together. */
  open(providerId: string, fields: AccountFields): Provider | undefined;
  /**
   * Asks the provider for a model that does not exist: an accepted account gets "not found", and nothing is
   * billed. Resolves whatever the provider replies.
   */
  probe(providerId: string, fields: AccountFields): Promise<AccountProbe>;
};

/** How long an opened account stays in memory at most. */
export const ACCOUNT_KEPT_MS = 5 * 60_000;

const PROBE_MODEL = 'weir-account-test';
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

const TARGET: Omit<ProviderTarget, 'callerHeaders'> = {
  attempt: {
    modelId: PROBE_MODEL,
    providerId: '',
    upstreamModel: PROBE_MODEL,
    region: null,
    prices: { kind: 'units', version: '', units: {} },
    isByok: true,
    isFree: false,
  },
  model: {
    id: PROBE_MODEL,
    maxOutputTokens: 1,
    supportsDeveloperRole: false,
    supportsReasoning: false,
    supportsVision: false,
    supportsTools: false,
    supportsWebSearch: false,
    supportsJsonObject: false,
    supportsJsonSchema: false,
  },
};

export type ProviderAccountsParts = Pick<ProviderDirectoryParts, 'transport' | 'rows'> & {
  /** Where the operator named another address for a provider, accounts of organizations are used there too. */
  readonly env?: ProviderDirectoryParts['env'];
};

const ADDRESS = /_(?:BASE|API)_URL$/;

export function createProviderAccounts({ transport, env, rows = createCompatibleRows() }: ProviderAccountsParts): ProviderAccounts {
  const directory = createProviderDirectory({ env: () => undefined, transport, rows });

  const open = (providerId: string, fields: AccountFields): Provider | undefined => {
    const form = formOf(providerId);
    const settings = new Map(Object.entries(fields).map(([name, value]) => [form.fields[name]?.setting, value]));
    const read = (name: string): string | undefined => settings.get(name) ?? (ADDRESS.test(name) ? env?.(name) : undefined);
    return createProviderDirectory({ env: read, transport, rows, secretsHeldMs: ACCOUNT_KEPT_MS }).find(providerId);
  };

  return {
    findProblem: (providerId, fields) =>
      directory.known().includes(providerId) ? findFieldProblem(providerId, fields) : { kind: 'unknown-provider', message: 'is not known' },
    secretOf: (providerId, fields) => fields[formOf(providerId).secret] ?? fields['api_key'] ?? '',
    open,
    probe: async (providerId, fields) => {
      try {
        const provider = open(providerId, fields);
        return provider === undefined ? { ok: false, why: 'The account is not complete.' } : await ask(provider, Object.values(fields));
      } catch (error) {
        return { ok: false, why: cleanText(error instanceof Error ? error.message : String(error), Object.values(fields)) };
      }
    },
  };
}

/** What is wrong with the fields of an account; values that are not known yet are not looked at. */
export function findFieldProblem(
  providerId: string,
  fields: AccountFields,
  isValueKnown: (name: string) => boolean = () => true,
): AccountProblem | undefined {
  const form = formOf(providerId);
  const names = Object.keys(fields);
  const unknown = names.find((name) => !Object.hasOwn(form.fields, name));
  if (unknown !== undefined) return { kind: 'unknown-field', field: unknown, message: 'is not a field of this account' };
  for (const name of names.filter(isValueKnown)) {
    const message = form.fields[name]?.findProblem?.(fields[name] ?? '');
    if (message !== undefined) return { kind: 'value', field: name, message };
  }
  return findWayProblem(providerId, names);
}

/** Whether these fields together are one of the ways that an account can be written in. */
function findWayProblem(providerId: string, names: readonly string[]): AccountProblem | undefined {
  const form = formOf(providerId);
  const way = form.ways.find((one) => one.every((name) => names.includes(name)));
  if (way === undefined) {
    const nearest = form.ways.find((one) => one.some((name) => names.includes(name))) ?? form.ways[0] ?? [];
    const missing = nearest.find((name) => !names.includes(name)) ?? 'api_key';
    const ways = form.ways.map((one) => one.join(' and ')).join(', or ');
    return { kind: 'value', field: missing, message: `is missing; an account at ${providerId} is ${ways}` };
  }
  const surplus = names.find((name) => !way.includes(name) && !form.optional.includes(name));
  return surplus === undefined ? undefined : { kind: 'value', field: surplus, message: `goes not together with ${way.join(' and ')}` };
}

async function ask(provider: Provider, secrets: readonly string[]): Promise<AccountProbe> {
  const answer = await sendProbe(provider);
  if (answer === undefined) return { ok: false, why: 'This provider cannot be asked without a billed request.' };
  const { status, text, error } = answer;
  if (error !== undefined && isAccountRefusal(error.code)) {
    return { ok: false, why: `The provider refused the account with status ${status}: ${cleanText(text, secrets)}` };
  }
  return error === undefined || status < 500 ? { ok: true } : { ok: false, why: error.message };
}

type ProbeAnswer = { readonly status: number; readonly text: string; readonly error: GatewayError | undefined };

/** Asks a provider for a model that does not exist; undefined where every request to it is billed. */
export async function sendProbe(provider: Provider): Promise<ProbeAnswer | undefined> {
  const target: ProviderTarget = { ...TARGET, attempt: { ...TARGET.attempt, providerId: provider.id } };
  const call = encodeProbe(provider, target);
  if (call === undefined) return undefined;
  const { status, headers, body } = await provider.transport({
    method: 'POST',
    url: urlOfCall(provider, call),
    headers: { 'content-type': 'application/json', ...call.headers, ...(await provider.authorize(call, target)) },
    body: call.body,
    signal: createCancellation().signal,
    headersTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: TIMEOUT_MS,
  });
  const text = (await readLimited(body, ANSWER_BYTES_MAX)).toString('utf8');
  return { status, text, error: status < 300 ? undefined : provider.readError(status, headers, text) };
}

function encodeProbe(provider: Provider, target: ProviderTarget): EncodedCall | undefined {
  if (provider.encodeProbe !== undefined) return provider.encodeProbe(PROBE_MODEL);
  const turns = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];
  return provider.codec?.encodeRequest({ model: PROBE_MODEL, turns, stream: false, maxOutputTokens: 1 }, target, createLossReport());
}
