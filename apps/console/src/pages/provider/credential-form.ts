import { createProviderCredentialBody, rotateProviderCredentialBody } from '@weir/contracts';
import { checkBody, mergeErrors, nestErrors, type FieldErrors } from '../../api';
import type { Provider } from '../providers/provider-list';

export type CredentialForm = {
  readonly name: string;
  readonly mode: 'prefer' | 'only';
  /** Which of the provider's ways: its place in the list. */
  readonly way: number;
  readonly values: Readonly<Record<string, string>>;
};

export const EMPTY_CREDENTIAL: CredentialForm = { name: '', mode: 'prefer', way: 0, values: {} };

type Asked = Pick<Provider, 'key_ways' | 'key_optional'>;

const ONE_KEY = ['api_key'];

/** The inputs of the chosen way; one key where no process says what the provider wants. */
export function listKeyFields({ key_ways: ways, key_optional: optional }: Asked, way: number): { name: string; isOptional: boolean }[] {
  const needed = ways[way] ?? ONE_KEY;
  return [
    ...needed.map((name) => ({ name, isOptional: false })),
    ...optional.filter((name) => !needed.includes(name)).map((name) => ({ name, isOptional: true })),
  ];
}

/** What is sent of the secret: `fields`, of which those that are empty are left out. */
export function toSecret(asked: Asked, { way, values }: CredentialForm): { api_key: string } | { fields: Record<string, string> } {
  const fields = listKeyFields(asked, way);
  const filled = fields.flatMap(({ name }) => {
    const value = values[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  if (fields.length === 1 && fields[0]?.name === 'api_key') return { api_key: values['api_key']?.trim() ?? '' };
  return { fields: Object.fromEntries(filled) };
}

export function toCreateCredential(provider: Asked & Pick<Provider, 'id'>, form: CredentialForm) {
  const name = form.name.trim();
  return { provider: provider.id, mode: form.mode, ...(name === '' ? {} : { name }), ...toSecret(provider, form) };
}

/** By the inputs' own names, whichever way the body says it. */
export function findCredentialErrors(provider: Asked & Pick<Provider, 'id'>, form: CredentialForm, isNew: boolean): FieldErrors {
  const missing = listKeyFields(provider, form.way)
    .filter(({ name, isOptional }) => !isOptional && (form.values[name]?.trim() ?? '') === '')
    .map(({ name }) => [name, 'is needed']);
  const body = isNew ? checkBody(createProviderCredentialBody, toCreateCredential(provider, form)) : {};
  const secret = isNew ? {} : checkBody(rotateProviderCredentialBody, toSecret(provider, form));
  return mergeErrors(nestErrors('fields', Object.fromEntries(missing) as FieldErrors), body, secret);
}

const LABELS: Readonly<Record<string, string>> = { api_key: 'API key' };

export function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return LABELS[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Where several ways lead to an account. */
export function nameWay(way: readonly string[]): string {
  return way.map((field, index) => (index === 0 ? labelOf(field) : labelOf(field).toLowerCase())).join(' and ');
}
