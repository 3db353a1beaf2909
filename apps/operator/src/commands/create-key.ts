import { UsageError, type Command, type Given } from './command';

export const createKey: Command = {
  words: 'key create',
  summary: 'Makes a key, which is shown only now. By default it may only infer.',
  options: [
    { name: 'organization', value: 'ID', meaning: 'whose key it is', isRequired: true },
    { name: 'name', value: 'NAME', meaning: 'what it is called; "Made by the operator" by default' },
    { name: 'member', value: 'EMAIL|ID', meaning: 'the member it belongs to, whose limits it counts towards; no one’s unless given' },
    { name: 'manage', value: 'LEVEL', meaning: 'none, read or write: the management interface' },
    { name: 'completions', value: 'LEVEL', meaning: 'none, read (model lists only) or write: inference' },
    { name: 'monthly-limit', value: 'USD', meaning: 'no limit by default' },
    { name: 'group', value: 'ID', meaning: 'the group it belongs to' },
    { name: 'access-list', value: 'ID', meaning: 'the models it may use' },
    { name: 'expires-at', value: 'TIME', meaning: 'RFC 3339; never by default' },
    { name: 'label', value: 'NAME=VALUE', meaning: 'may be given several times', isRepeatable: true },
  ],
  run: async (given, { open }) => {
    const body = describeKey(given);
    const { actions } = await open();
    const made = await actions.createApiKey(given.options['organization'] ?? '', body, given.options['member']);
    return { api_key_id: made.apiKeyId, api_key: made.apiKey };
  },
};

/** The body of `POST /v1/manage/apikey`; what is not given is not in it. */
function describeKey({ options, lists }: Given): object {
  const permissions = { manage: options['manage'], completions: options['completions'] };
  const limit = options['monthly-limit'];
  const body = {
    name: options['name'] ?? 'Made by the operator',
    permissions: permissions.manage === undefined && permissions.completions === undefined ? undefined : dropMissing(permissions),
    monthly_limit: limit === undefined ? undefined : readLimit(limit),
    group_id: options['group'],
    access_list_id: options['access-list'],
    expires_at: options['expires-at'],
    labels: readLabels(lists['label'] ?? []),
  };
  return dropMissing(body);
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (text.trim() === '' || !Number.isFinite(limit)) throw new UsageError(`--monthly-limit takes USD, such as 20 or 0.5, not "${text}".`);
  return limit;
}

function readLabels(pairs: readonly string[]): Record<string, string> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--label takes NAME=VALUE, not "${pair}".`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function dropMissing(fields: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
