export type Snippet = {
  readonly id: string;
  readonly label: string;
  /** Which file or shell the lines are for. */
  readonly about: string;
  readonly text: string;
};

type SnippetOf = { readonly model: string; readonly api: string; readonly origin: string };

/** Stands where the key belongs; nothing here ever holds one. */
export const KEY_PLACEHOLDER = 'YOUR_WEIR_KEY';

/** The lines of docs/clients.md, with the address of this gateway and the model. Other modalities than chat have fewer clients. */
export function listSnippets({ model, api, origin }: SnippetOf): Snippet[] {
  const of = { model, url: origin.replace(/\/+$/, ''), key: KEY_PLACEHOLDER };
  if (api !== 'chat') return [...(NO_CHAT[api] ?? ((): Snippet[] => []))(of)];
  return [
    writeCurl(of),
    writeOpenAiPython(of),
    writeOpenAi(of),
    writeAnthropic(of),
    writeAiSdk(of),
    writeLangChain(of),
    writeClaudeCode(of),
    writeCodex(of),
  ];
}

type Of = { readonly model: string; readonly url: string; readonly key: string };

function writeCurl({ model, url, key }: Of): Snippet {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  return {
    id: 'curl',
    label: 'curl',
    about: 'Chat completions from a shell',
    text: writeCurlCall(url, key, { path: 'chat/completions', body }),
  };
}

type CurlCall = { readonly path: string; readonly body: string; readonly file?: string };

/** A call of curl with a body in JSON; with a file, the response is written to it. */
export function writeCurlCall(url: string, key: string, { path, body, file }: CurlCall): string {
  return [
    `curl ${url}/v1/${path} \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quote(body)}${file === undefined ? '' : ` \\\n  --output ${quote(file)}`}`,
  ].join('\n');
}

function writeOpenAiPython({ model, url, key }: Of): Snippet {
  const text = `from openai import OpenAI

client = OpenAI(base_url="${url}/v1", api_key="${key}")
response = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(response.choices[0].message.content)`;
  return { id: 'openai-python', label: 'openai (Python)', about: 'pip install openai', text };
}

function writeOpenAi({ model, url, key }: Of): Snippet {
  const text = `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${url}/v1', apiKey: '${key}' });
const response = await client.chat.completions.create({
  model: ${single(model)},
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(response.choices[0].message.content);`;
  return { id: 'openai', label: 'openai (TypeScript)', about: 'npm install openai', text };
}

function writeAnthropic({ model, url, key }: Of): Snippet {
  const text = `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: '${url}', apiKey: '${key}' });
const message = await client.messages.create({
  model: ${single(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(message.content);`;
  return { id: 'anthropic', label: 'Anthropic', about: 'npm install @anthropic-ai/sdk; its base URL is without /v1', text };
}

function writeAiSdk({ model, url, key }: Of): Snippet {
  const text = `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';

const weir = createOpenAICompatible({
  name: 'weir',
  baseURL: '${url}/v1',
  apiKey: '${key}',
  includeUsage: true,
  supportsStructuredOutputs: true,
});
const { text } = await generateText({ model: weir(${single(model)}), prompt: 'Hello' });
console.log(text);`;
  return { id: 'ai-sdk', label: 'AI SDK', about: 'npm install ai @ai-sdk/openai-compatible', text };
}

function writeLangChain({ model, url, key }: Of): Snippet {
  const text = `import { ChatOpenAI } from '@langchain/openai';

const chat = new ChatOpenAI({
  model: ${single(model)},
  apiKey: '${key}',
  configuration: { baseURL: '${url}/v1' },
});
const reply = await chat.invoke('Hello');
console.log(reply.content);`;
  return { id: 'langchain', label: 'LangChain', about: 'npm install @langchain/openai', text };
}

function writeClaudeCode({ model, url, key }: Of): Snippet {
  const text = `export ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${key}
export DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
claude --model ${quote(model)}`;
  return { id: 'claude-code', label: 'Claude Code', about: 'In the shell that it is started from', text };
}

function writeCodex({ model, url, key }: Of): Snippet {
  const text = `# ~/.codex/config.toml
model = ${JSON.stringify(model)}
model_provider = "weir"
web_search = "disabled"      # needed where the model cannot search

[model_providers.weir]
name = "Weir"
base_url = "${url}/v1"
env_key = "WEIR_API_KEY"
wire_api = "responses"

# and in the shell:
# export WEIR_API_KEY=${key}
# codex`;
  return { id: 'codex', label: 'Codex', about: '~/.codex/config.toml, and the key in the shell', text };
}

/** By modality: the request by hand, and by the client that most have. */
const NO_CHAT: Readonly<Record<string, (of: Of) => Snippet[]>> = {
  embedding: (of) =>
    writePair(of, 'embeddings', {
      method: 'embeddings.create',
      body: { model: of.model, input: 'Hello' },
      python: 'print(len(response.data[0].embedding))',
      script: 'console.log(response.data[0].embedding.length);',
    }),
  image: (of) =>
    writePair(of, 'images/generations', {
      method: 'images.generate',
      body: { model: of.model, prompt: 'a red kite' },
      file: 'kite.json',
      python: 'open("kite.png", "wb").write(base64.b64decode(response.data[0].b64_json))',
      pythonImport: 'import base64',
      script: "await writeFile('kite.png', Buffer.from(response.data[0].b64_json, 'base64'));",
      scriptImport: WRITE_FILE,
    }),
  speech: (of) =>
    writePair(of, 'audio/speech', {
      method: 'audio.speech.create',
      body: { model: of.model, input: 'Good morning', voice: 'alloy' },
      file: 'morning.mp3',
      python: 'response.write_to_file("morning.mp3")',
      script: "await writeFile('morning.mp3', Buffer.from(await response.arrayBuffer()));",
      scriptImport: WRITE_FILE,
    }),
  transcription: writeTranscription,
};

const WRITE_FILE = "import { writeFile } from 'node:fs/promises';";

type Calling = {
  readonly method: string;
  readonly body: Record<string, string>;
  /** What curl writes the response to, where it is nothing for a terminal. */
  readonly file?: string;
  /** What is done with the result. */
  readonly python: string;
  readonly pythonImport?: string;
  readonly script: string;
  readonly scriptImport?: string;
};

function writePair(of: Of, path: string, calling: Calling): Snippet[] {
  const { method, body, file } = calling;
  const members = Object.entries(body);
  const python = members.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ');
  const script = members.map(([name, value]) => `${name}: ${single(value)}`).join(', ');
  const call = writeCurlCall(of.url, of.key, { path, body: JSON.stringify(body), ...(file === undefined ? {} : { file }) });
  return [
    { id: 'curl', label: 'curl', about: 'From a shell', text: call },
    ...writeOpenAiCalls(of, calling, { python: `client.${method}(${python})`, script: `await client.${method}({ ${script} })` }),
  ];
}

function writeTranscription(of: Of): Snippet[] {
  const { model, url, key } = of;
  const form = `curl ${url}/v1/audio/transcriptions \\
  -H "Authorization: Bearer ${key}" \\
  -F ${quote(`model=${model}`)} \\
  -F file=@said.wav`;
  const result = {
    python: 'print(response.text)',
    script: 'console.log(response.text);',
    scriptImport: "import { createReadStream } from 'node:fs';",
  };
  const calls = {
    python: `client.audio.transcriptions.create(model=${JSON.stringify(model)}, file=open("said.wav", "rb"))`,
    script: `await client.audio.transcriptions.create({ model: ${single(model)}, file: createReadStream('said.wav') })`,
  };
  return [{ id: 'curl', label: 'curl', about: 'A form with the file', text: form }, ...writeOpenAiCalls(of, result, calls)];
}

type Result = Pick<Calling, 'python' | 'pythonImport' | 'script' | 'scriptImport'>;

function writeOpenAiCalls({ url, key }: Of, result: Result, calls: { readonly python: string; readonly script: string }): Snippet[] {
  const inPython = [
    ...(result.pythonImport === undefined ? [] : [result.pythonImport]),
    `from openai import OpenAI\n\nclient = OpenAI(base_url="${url}/v1", api_key="${key}")`,
    `response = ${calls.python}`,
    result.python,
  ];
  const inTypeScript = [
    ...(result.scriptImport === undefined ? [] : [result.scriptImport]),
    `import OpenAI from 'openai';\n\nconst client = new OpenAI({ baseURL: '${url}/v1', apiKey: '${key}' });`,
    `const response = ${calls.script};`,
    result.script,
  ];
  return [
    { id: 'openai-python', label: 'openai (Python)', about: 'pip install openai', text: inPython.join('\n') },
    { id: 'openai', label: 'openai (TypeScript)', about: 'npm install openai', text: inTypeScript.join('\n') },
  ];
}

/** A word of a shell, whatever is in it. */
function quote(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A string of TypeScript. */
function single(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
