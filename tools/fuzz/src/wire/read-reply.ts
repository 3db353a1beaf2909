export type HttpReply = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: string };

/** Reads the first answer on a connection; undefined when there is none. */
export function readReply(bytes: Buffer): HttpReply | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes
    .subarray(0, end === -1 ? undefined : end)
    .toString('latin1')
    .split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1];
  if (end === -1 || status === undefined) return undefined;
  // What is said before the answer itself.
  if (status === '100') return readReply(bytes.subarray(end + 4));
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  return { status: Number(status), headers, body: readBody(bytes.subarray(end + 4), headers).toString('utf8') };
}

/** What follows the body is the answer to whatever else was sent. */
function readBody(rest: Buffer, headers: ReadonlyMap<string, string>): Buffer {
  if (headers.get('transfer-encoding') === 'chunked') return joinChunks(rest);
  const length = headers.get('content-length');
  return length === undefined ? rest : rest.subarray(0, Number(length));
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const line = bytes.indexOf('\r\n', position);
    const size = line === -1 ? 0 : Number.parseInt(bytes.subarray(position, line).toString('latin1'), 16);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    position = line + 2 + size + 2;
  }
}
