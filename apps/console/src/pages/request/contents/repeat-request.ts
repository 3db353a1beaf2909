import { writeCurlCall } from '../../models/snippets';
import { parseJson } from '../../playground/json';

/** Stands for the key: the shell puts in what is in this variable. */
const KEY = '$WEIR_API_KEY';

const PATHS: Readonly<Record<string, string>> = {
  'chat-completions': 'chat/completions',
  completions: 'completions',
  responses: 'responses',
  messages: 'messages',
  embeddings: 'embeddings',
};

type Repeated = { readonly endpoint: string; readonly body: string; readonly isCut: boolean };

/** The request as a line for a shell; undefined where not all of it is kept. */
export function writeCurl({ endpoint, body, isCut }: Repeated, origin: string): string | undefined {
  const path = PATHS[endpoint];
  return path === undefined || isCut ? undefined : writeCurlCall(origin.replace(/\/+$/, ''), KEY, { path, body });
}

/** What the playground can take over; undefined where it cannot. */
export function readRepeatable({ endpoint, body, isCut }: Repeated): unknown {
  return endpoint === 'chat-completions' && !isCut ? parseJson(body) : undefined;
}
