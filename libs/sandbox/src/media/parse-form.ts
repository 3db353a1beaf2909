import type { JsonRecord } from '@weir/canonical';
import type { SandboxFile } from '../endpoint/sandbox-endpoint';

const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads a multipart body. A field whose name ends in brackets becomes a list under the name before them. */
export function parseForm(bytes: Buffer, contentType: string): { readonly body: JsonRecord; readonly files: readonly SandboxFile[] } {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1] ?? '';
  const body: JsonRecord = {};
  const files: SandboxFile[] = [];
  for (const part of splitParts(bytes, Buffer.from(`--${boundary}`))) {
    const headEnd = part.indexOf(HEAD_END);
    if (headEnd === -1) continue;
    const head = part.toString('utf8', 0, headEnd);
    const field = / name="([^"]*)"/.exec(head)?.[1] ?? '';
    const name = / filename="([^"]*)"/.exec(head)?.[1];
    const content = part.subarray(headEnd + HEAD_END.length);
    if (name === undefined) addField(body, field, content.toString('utf8'));
    else files.push({ field: field.replace(/\[\]$/, ''), name, bytes: content });
  }
  return { body, files };
}

function* splitParts(bytes: Buffer, delimiter: Buffer): Iterable<Buffer> {
  let from = bytes.indexOf(delimiter);
  while (from !== -1) {
    const start = from + delimiter.length + 2;
    const end = bytes.indexOf(delimiter, start);
    if (end === -1) return;
    yield bytes.subarray(start, end - 2);
    from = end;
  }
}

function addField(body: JsonRecord, field: string, value: string): void {
  if (!field.endsWith('[]')) {
    body[field] = value;
    return;
  }
  const name = field.slice(0, -2);
  const list = body[name];
  if (Array.isArray(list)) list.push(value);
  else body[name] = [value];
}
