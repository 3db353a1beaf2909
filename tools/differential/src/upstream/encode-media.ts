import type { Question, Reply } from './reply';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const EMBEDDING_LENGTH = 8;

/** Everything that is no chat, by the end of its path. */
export function encodeMedia(question: Question): Reply {
  const { path } = question;
  if (path.endsWith('/embeddings')) return json(embeddings(question));
  if (path.includes('/images/')) return json(images());
  if (path.endsWith('/audio/speech')) return bytes('audio/mpeg', Buffer.from('ID3 as if it were a recording'));
  if (path.includes('/audio/')) return json({ text: 'What was said.', usage: { type: 'duration', seconds: 2 } });
  if (path.endsWith('/count_tokens')) return json({ input_tokens: 42 });
  if (path.endsWith('/input_tokens')) return json({ object: 'response.input_tokens', input_tokens: 42 });
  return { ...json({ error: { message: `nothing at ${path}`, type: 'invalid_request_error' } }), status: 404 };
}

function json(body: object): Reply {
  return bytes('application/json', Buffer.from(JSON.stringify(body)));
}

function bytes(type: string, all: Buffer): Reply {
  return { status: 200, headers: { 'content-type': type, 'x-request-id': 'req_upstream' }, steps: [{ do: 'write', bytes: all }] };
}

function embeddings({ body, model }: Question): object {
  const asked = JSON.parse(body.toString()) as { readonly input?: unknown; readonly encoding_format?: unknown };
  const count = Array.isArray(asked.input) && typeof asked.input[0] !== 'number' ? asked.input.length : 1;
  const vector = Float32Array.from({ length: EMBEDDING_LENGTH }, (_, at) => (at + 1) / 16);
  const embedding = asked.encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
  return {
    object: 'list',
    data: Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding })),
    model,
    usage: { prompt_tokens: 5 * count, total_tokens: 5 * count },
  };
}

function images(): object {
  return {
    created: 1_700_000_000,
    data: [{ b64_json: PIXEL }],
    usage: { input_tokens: 9, output_tokens: 300, total_tokens: 309, input_tokens_details: { text_tokens: 9, image_tokens: 0 } },
  };
}
