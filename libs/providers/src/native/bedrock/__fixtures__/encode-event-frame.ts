import { crc32 } from 'node:zlib';

/** One message of the binary framing, with headers of text. */
export function encodeFrame(headers: Readonly<Record<string, string>>, payload: unknown): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => encodeHeader(name, value)));
  const body = Buffer.from(payload === undefined ? '' : JSON.stringify(payload));
  const message = Buffer.alloc(12 + head.length + body.length + 4);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(head.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  head.copy(message, 12);
  body.copy(message, 12 + head.length);
  message.writeUInt32BE(crc32(message.subarray(0, message.length - 4)), message.length - 4);
  return message;
}

export function encodeEvent(name: string, payload: unknown): Buffer {
  return encodeFrame({ ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' }, payload);
}

export function encodeException(name: string, payload: unknown): Buffer {
  return encodeFrame({ ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' }, payload);
}

/** Events given as `[name, payload]`, in one piece. */
export function encodeEvents(events: readonly (readonly [string, unknown])[]): Buffer {
  return Buffer.concat(events.map(([name, payload]) => encodeEvent(name, payload)));
}

function encodeHeader(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(3);
  length.writeUInt8(7, 0);
  length.writeUInt16BE(bytes.length, 1);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, bytes]);
}
