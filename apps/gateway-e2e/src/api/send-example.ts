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
      headers: { authorization: `Bearer ${harness.apiKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: toForm(form) }),
    }),
  );
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
