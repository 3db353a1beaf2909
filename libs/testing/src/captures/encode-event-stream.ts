import { crc32 } from 'node:zlib';

const STRING_HEADER = 7;

/** One message of the binary event stream framing: lengths, checksum, headers, payload, checksum. */
export function encodeEventStreamMessage(eventType: string, payload: string): Buffer {
  const headers = Buffer.concat([
    encodeHeader(':event-type', eventType),
    encodeHeader(':content-type', 'application/json'),
    encodeHeader(':message-type', 'event'),
  ]);
  const body = Buffer.from(payload);
  const message = Buffer.alloc(12 + headers.length + body.length + 4);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, 12);
  body.copy(message, 12 + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, message.length - 4)), message.length - 4);
  return message;
}

function encodeHeader(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name);
  const valueBytes = Buffer.from(value);
  const lengths = Buffer.alloc(3);
  lengths.writeUInt8(STRING_HEADER, 0);
  lengths.writeUInt16BE(valueBytes.length, 1);
  return Buffer.concat([Buffer.from([nameBytes.length]), nameBytes, lengths, valueBytes]);
}
