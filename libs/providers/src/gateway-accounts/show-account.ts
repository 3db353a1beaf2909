import { isSecretField } from '@weir/contracts';
import { fieldsOf, type AccountSpec } from './account-spec.schema';

/** An account as it may be shown to people: of a secret that is written down only that it is, of others where they are kept. */
export function showAccount(spec: AccountSpec): Readonly<Record<string, unknown>> {
  const { api_key: _, fields: __, weight = 1, ...others } = spec;
  const fields = Object.entries(fieldsOf(spec)).map(([name, value]) => {
    return [name, typeof value === 'string' && isSecretField(name) ? '(a text)' : value] as const;
  });
  return { ...others, weight, ...Object.fromEntries(fields) };
}
