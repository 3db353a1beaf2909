import type { AccountInspection } from '@weir/contracts';
import type { AccountFields, ProviderAccounts } from '..';

/** A cloud with fields of its own beside providers that want one key; refuses every secret with "refused" in it. */
export function createProviderAccounts(): ProviderAccounts {
  const forms: Readonly<Record<string, readonly string[]>> = {
    plain: ['api_key'],
    cloud: ['access_id', 'access_secret'],
  };
  const findProblem = (provider: string, fields: AccountFields): AccountInspection['problem'] => {
    const form = forms[provider];
    if (form === undefined) return { kind: 'unknown-provider', message: 'is not known' };
    const unknown = Object.keys(fields).find((name) => !form.includes(name));
    if (unknown !== undefined) return { kind: 'unknown-field', field: unknown, message: 'is not known' };
    const missing = form.find((name) => fields[name] === undefined);
    return missing === undefined ? undefined : { kind: 'value', field: missing, message: 'is missing' };
  };
  return {
    inspect: (provider, fields) =>
      Promise.resolve({ problem: findProblem(provider, fields), secret: fields['api_key'] ?? fields['access_secret'] ?? '' }),
    probe: (_provider, fields) => {
      const secret = Object.values(fields).join();
      return Promise.resolve(secret.includes('refused') ? { ok: false, why: `the key ${secret} is not valid` } : { ok: true });
    },
  };
}
