import { FILE_FIELDS, type Example } from '@weir/api-description';
import type { EndpointRow } from '@weir/contracts';
import type { Harness } from '../harness/start-standalone';
import type { ReceivedReply } from './create-api-validator';
import type { ThingMaker } from './make-things';
import { SAMPLE_FILES } from './sample-files';

/** Sends one example of the document as it stands, with real ids in it. */
export async function sendExample(row: EndpointRow, example: Example, harness: Harness, maker: ThingMaker): Promise<ReceivedReply> {
  const { params = {}, query = {}, body, form } = JSON.parse(await maker.fill(JSON.stringify(example))) as Example;
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)])),
  );
  return receive(
    await fetch(`${harness.url}${path}${parameters.size === 0 ? '' : `?${parameters}`}`, {
      method: row.method,
      headers: {
        authorization: `Bearer ${await findKey(row, harness)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: toForm(form) }),
    }),
  );
}

/** No key may read contents of requests unless it was made for that. */
async function findKey({ permission }: EndpointRow, { apiKey, managementUrl }: Harness): Promise<string> {
  if (permission.kind !== 'contents') return apiKey;
  const reply = await fetch(`${managementUrl}/v1/manage/apikey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a reader', permissions: { contents: 'read' } }),
  });
  return String(((await reply.json()) as { api_key?: string }).api_key);
}

export async function receive(reply: Response): Promise<ReceivedReply> {
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

function toForm(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const file = FILE_FIELDS.has(name) ? SAMPLE_FILES[value] : undefined;
    if (file === undefined) form.set(name, value);
    else form.set(name, new Blob([new Uint8Array(file.bytes)], { type: file.type }), value);
  }
  return form;
}
