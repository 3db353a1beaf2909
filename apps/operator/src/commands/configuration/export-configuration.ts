import { UsageError, type Command } from '../command';
import { callGateway } from './call-gateway';

type Exported = { readonly text: string };

export const exportConfiguration: Command = {
  words: 'export',
  summary:
    'Writes what an organization has as a document that "apply" takes. Secrets are left out. Over WEIR_URL, with the key in WEIR_API_KEY.',
  options: [
    { name: 'name', value: 'NAME', meaning: 'what stands as its metadata.name; "exported" by default' },
    { name: 'format', value: 'FORMAT', meaning: 'yaml (by default) or json' },
  ],
  run: async ({ options }, tools) => {
    const format = options['format'] ?? 'yaml';
    if (format !== 'yaml' && format !== 'json') throw new UsageError(`--format is yaml or json, not "${format}".`);
    const query = new URLSearchParams({ format, ...(options['name'] === undefined ? {} : { name: options['name'] }) });
    const reply = await callGateway(tools, { method: 'GET', path: `/v1/manage/configuration?${query.toString()}` });
    const text = await reply.text();
    return { text: format === 'json' ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : text } satisfies Exported;
  },
  describe: (result) => (result as Exported).text,
};
