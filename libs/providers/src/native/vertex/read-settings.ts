import { readFileSync } from 'node:fs';
import { normaliseBaseUrl, readProviderSettings, type ReadEnv } from '../../settings/provider-settings';
import { asRecord, asText, parseJson, type JsonRecord } from '../../wire/json-value';
import { addressOf, type VertexPlace } from './encode-request';

export type VertexAccount = {
  readonly place: VertexPlace;
  /** A token made elsewhere, or the contents of a key file. */
  readonly credential: { readonly kind: 'token'; readonly token: string } | { readonly kind: 'key-file'; readonly content: JsonRecord };
};

/**
 * Reads the account. The customary variable with the path of a key file alone does not configure this provider, because
 * it is set for other software as well: a project has to be named, or the credentials be given here.
 */
export function readAccount(env: ReadEnv): VertexAccount | undefined {
  const { apiKey, baseUrl } = readProviderSettings(env, { ids: ['vertex'], apiKey: [], baseUrl: ['GOOGLE_VERTEX_BASE_URL'] });
  const given = firstOf(env, ['PROVIDER_VERTEX_CREDENTIALS', 'GOOGLE_APPLICATION_CREDENTIALS_JSON']);
  const named = firstOf(env, ['PROVIDER_VERTEX_PROJECT', 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT']);
  const path = firstOf(env, ['GOOGLE_APPLICATION_CREDENTIALS']);
  const content =
    given !== undefined
      ? readKeyFile(given, 'the given credentials')
      : named !== undefined && path !== undefined && apiKey === undefined
        ? readKeyFile(readFileSync(path, 'utf8'), path)
        : undefined;
  const project = named ?? asText(content?.['project_id']);
  const credential = apiKey !== undefined ? ({ kind: 'token', token: apiKey } as const) : toCredential(content);
  if (project === undefined || credential === undefined) return undefined;
  const location = firstOf(env, ['PROVIDER_VERTEX_LOCATION', 'GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION']) ?? 'global';
  const address = baseUrl === undefined ? undefined : normaliseBaseUrl(baseUrl, addressOf('global'), true);
  return { place: { project, location, baseUrl: address }, credential };
}

function toCredential(content: JsonRecord | undefined): VertexAccount['credential'] | undefined {
  return content === undefined ? undefined : { kind: 'key-file', content };
}

function readKeyFile(text: string, where: string): JsonRecord {
  const content = asRecord(parseJson(text));
  if (asText(content?.['type']) === undefined || content === undefined) throw new Error(`${where}: not the JSON of a Google key file`);
  return content;
}

function firstOf(env: ReadEnv, names: readonly string[]): string | undefined {
  return names.map((name) => env(name)?.trim()).find((value) => value !== undefined && value !== '');
}
