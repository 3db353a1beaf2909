/** A multipart body in pieces, as clients write it. */
export const BOUNDARY = 'weir-test-boundary';
export const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
export const END = `\r\n--${BOUNDARY}--\r\n`;

export function fieldPart(name: string, value: string): string {
  return `\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`;
}

/** The head of a file's part; its bytes follow. */
export function fileHead(name: string, fileName: string): string {
  return `\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\ncontent-type: image/png\r\n\r\n`;
}

const PNG_HEAD = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Bytes that begin as a PNG does. */
export function pngOf(bytes: number): Buffer {
  const png = Buffer.alloc(bytes, 7);
  PNG_HEAD.copy(png);
  return png;
}
