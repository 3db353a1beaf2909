import { randomBytes } from 'node:crypto';

type SentFile = {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
};

/** One part of a form: a text, or a file. */
export type SentPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly file: SentFile };

export type EncodedForm = {
  readonly contentType: string;
  /** In bytes, so that no one has to send it in chunks. */
  readonly length: number;
  readonly body: AsyncIterable<Uint8Array>;
};

/** Writes a multipart body whose files are read while it is sent, never all at once. */
export function encodeMultipart(parts: readonly SentPart[]): EncodedForm {
  const boundary = `weir-${randomBytes(16).toString('hex')}`;
  const heads = parts.map((part) => Buffer.from(`--${boundary}\r\n${encodeHead(part)}\r\n\r\n`));
  const tail = Buffer.from(`--${boundary}--\r\n`);
  const length = parts.reduce((sum, part, index) => sum + (heads[index] as Buffer).length + sizeOf(part) + 2, tail.length);
  return { contentType: `multipart/form-data; boundary=${boundary}`, length, body: write(parts, heads, tail) };
}

async function* write(parts: readonly SentPart[], heads: readonly Buffer[], tail: Buffer): AsyncIterable<Uint8Array> {
  for (const [index, part] of parts.entries()) {
    yield heads[index] as Buffer;
    if (part.kind === 'field') yield Buffer.from(part.value);
    else yield* part.file.read();
    yield Buffer.from('\r\n');
  }
  yield tail;
}

function encodeHead(part: SentPart): string {
  const disposition = `content-disposition: form-data; name="${quote(part.name)}"`;
  if (part.kind === 'field') return disposition;
  const { file } = part;
  return `${disposition}; filename="${quote(file.name)}"\r\ncontent-type: ${file.type.replace(/[\r\n]/g, '')}`;
}

/** As browsers write it. */
function quote(text: string): string {
  return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function sizeOf(part: SentPart): number {
  return part.kind === 'field' ? Buffer.byteLength(part.value) : part.file.size;
}
