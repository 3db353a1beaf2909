import { KEY_PLACEHOLDER, writeCurlCall } from '../models/snippets';
import type { JsonRecord } from './json';

export const CODE_WAYS = [
  { way: 'curl', label: 'curl' },
  { way: 'openai-python', label: 'openai (Python)' },
  { way: 'openai', label: 'openai (TypeScript)' },
  { way: 'body', label: 'JSON body' },
] as const;
export type CodeWay = (typeof CODE_WAYS)[number]['way'];

type Code = { readonly path: string; readonly body: JsonRecord; readonly origin: string };

/** What a response is written to that is nothing for a terminal. */
const FILES: Readonly<Record<string, (body: JsonRecord) => string>> = {
  'images/generations': () => 'image.json',
  'audio/speech': ({ response_format: format }) => `speech.${typeof format === 'string' ? format : 'mp3'}`,
};

/** The method of OpenAI's clients for a path, and what to do with its result. */
const METHODS: Readonly<Record<string, { readonly method: string; readonly python: string; readonly script: string }>> = {
  'chat/completions': {
    method: 'chat.completions.create',
    python: 'print(response.choices[0].message)',
    script: 'console.log(response.choices[0].message);',
  },
  'images/generations': {
    method: 'images.generate',
    python:
      'for number, image in enumerate(response.data, 1):\n    open(f"image-{number}.png", "wb").write(base64.b64decode(image.b64_json))',
    script:
      "for (const [index, image] of response.data.entries())\n  await writeFile(`image-${index + 1}.png`, Buffer.from(image.b64_json, 'base64'));",
  },
  'audio/speech': {
    method: 'audio.speech.create',
    python: 'response.write_to_file("FILE")',
    script: "await writeFile('FILE', Buffer.from(await response.arrayBuffer()));",
  },
};

/** A request as lines to paste. Members that a client does not know go as it says such are sent. */
export function writeCode(way: CodeWay, { path, body, origin }: Code): string {
  const url = origin.replace(/\/+$/, '');
  const json = JSON.stringify(body, null, 2);
  if (way === 'body') return json;
  const file = FILES[path]?.(body);
  if (way === 'curl') return writeCurlCall(url, KEY_PLACEHOLDER, { path, body: json, ...(file === undefined ? {} : { file }) });
  const { method, ...reads } = METHODS[path] ?? { method: '', python: '', script: '' };
  const [python, script] = [reads.python, reads.script].map((line) => line.replace('FILE', file ?? '')) as [string, string];
  if (way === 'openai-python') return writePython({ url, method, read: python }, body);
  const imported = script.includes('writeFile') ? "import { writeFile } from 'node:fs/promises';\n" : '';
  return `${imported}import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${url}/v1', apiKey: '${KEY_PLACEHOLDER}' });
const response = await client.${method}(${json});
${script}`;
}

/** What the Python client takes by name; it sends anything else in `extra_body`. */
const PYTHON_KNOWN = new Set([
  ...['model', 'messages', 'temperature', 'top_p', 'max_completion_tokens', 'stop', 'seed', 'reasoning_effort', 'response_format'],
  ...['tools', 'tool_choice', 'prompt', 'size', 'quality', 'n', 'input', 'voice', 'instructions', 'speed', 'output_format', 'background'],
]);

function writePython(
  { url, method, read }: { readonly url: string; readonly method: string; readonly read: string },
  body: JsonRecord,
): string {
  const lines = Object.entries(body).filter(([name]) => PYTHON_KNOWN.has(name));
  const others = Object.fromEntries(Object.entries(body).filter(([name]) => !PYTHON_KNOWN.has(name)));
  const extra = Object.keys(others).length === 0 ? [] : [`    extra_body=${toPython(others, 1)},`];
  return `${read.includes('base64') ? 'import base64\n' : ''}from openai import OpenAI

client = OpenAI(base_url="${url}/v1", api_key="${KEY_PLACEHOLDER}")
response = client.${method}(
${[...lines.map(([name, value]) => `    ${name}=${toPython(value, 1)},`), ...extra].join('\n')}
)
${read}`;
}

/** A JSON value as a literal of Python. */
function toPython(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  const items = Array.isArray(value)
    ? (value as unknown[]).map((item) => toPython(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${toPython(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${end}${close}`;
}
