import { asRecord, asText, parseJson } from '../wire/json-value';

type FieldRule = {
  /** The setting it is read as. */
  readonly setting: string;
  /** What is wrong with a value; undefined when nothing is. */
  readonly findProblem?: (value: string) => string | undefined;
};

/** What an account of an organization's own is made of, and how a provider reads it. */
type AccountForm = {
  /** The first form whose required fields are all there counts. */
  readonly ways: readonly (readonly string[])[];
  readonly optional: readonly string[];
  /** The field whose last characters are shown. */
  readonly secret: string;
  readonly fields: Readonly<Record<string, FieldRule>>;
};

/** Becomes part of a host name, so it must not be able to be more than that. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const label = (value: string): string | undefined => (LABEL.test(value) ? undefined : 'must be letters, digits and "-"');
const header = (value: string): string | undefined =>
  /^[\x21-\x7e]+$/.test(value) ? undefined : 'must be printable ASCII without spaces or line breaks';

/**
 * Only a service account's own key: other kinds of key file name commands and addresses of their own, which would run
 * and be called here.
 */
function findKeyFileProblem(value: string): string | undefined {
  const file = asRecord(parseJson(value));
  if (file === undefined || asText(file['type']) !== 'service_account') return 'must be the JSON of a service account key';
  const domain = file['universe_domain'];
  return domain === undefined || domain === 'googleapis.com' ? undefined : 'names a domain of its own';
}

function settingOf(providerId: string, name: string): string {
  return `PROVIDER_${providerId.toUpperCase().replaceAll('-', '_')}_${name}`;
}

const CLOUD_FORMS: Readonly<Record<string, AccountForm>> = {
  bedrock: {
    ways: [['api_key'], ['access_key_id', 'secret_access_key']],
    optional: ['region', 'session_token'],
    secret: 'secret_access_key',
    fields: {
      api_key: { setting: settingOf('bedrock', 'API_KEY'), findProblem: header },
      access_key_id: { setting: 'AWS_ACCESS_KEY_ID', findProblem: header },
      secret_access_key: { setting: 'AWS_SECRET_ACCESS_KEY', findProblem: header },
      session_token: { setting: 'AWS_SESSION_TOKEN', findProblem: header },
      region: { setting: 'AWS_REGION', findProblem: label },
    },
  },
  'bedrock-mantle': {
    ways: [['api_key']],
    optional: ['region'],
    secret: 'api_key',
    fields: {
      api_key: { setting: settingOf('bedrock-mantle', 'API_KEY'), findProblem: header },
      region: { setting: 'AWS_REGION', findProblem: label },
    },
  },
  azure: azureForm('azure'),
  'azure-ai': azureForm('azure-ai'),
  vertex: {
    ways: [['credentials'], ['api_key', 'project']],
    optional: ['project', 'location'],
    secret: 'api_key',
    fields: {
      credentials: { setting: settingOf('vertex', 'CREDENTIALS'), findProblem: findKeyFileProblem },
      api_key: { setting: settingOf('vertex', 'API_KEY'), findProblem: header },
      project: { setting: settingOf('vertex', 'PROJECT'), findProblem: label },
      location: { setting: settingOf('vertex', 'LOCATION'), findProblem: label },
    },
  },
};

function azureForm(id: string): AccountForm {
  return {
    ways: [['api_key', 'resource_name']],
    optional: [],
    secret: 'api_key',
    fields: {
      api_key: { setting: settingOf(id, 'API_KEY'), findProblem: header },
      resource_name: { setting: 'AZURE_RESOURCE_NAME', findProblem: label },
    },
  };
}

/** Every other provider wants one key. */
export function formOf(providerId: string): AccountForm {
  return (
    (Object.hasOwn(CLOUD_FORMS, providerId) ? CLOUD_FORMS[providerId] : undefined) ?? {
      ways: [['api_key']],
      optional: [],
      secret: 'api_key',
      fields: { api_key: { setting: settingOf(providerId, 'API_KEY'), findProblem: header } },
    }
  );
}
