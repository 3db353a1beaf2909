import type { SpeechDecoder, SpeechEvent } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;

/** Speech that comes inside one object, usage as well where `reportsUsage`: nothing is heard before its end. Throws `provider_unreadable` for one without end. */
export function createWholeSpeech(read: (bytes: Buffer) => SpeechEvent[], reportsUsage: boolean): SpeechDecoder {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    reportsUsage,
    push(bytes) {
      size += bytes.length;
      if (size > REPLY_BYTES_MAX)
        throw new GatewayError('provider_unreadable', 'The provider sent a reply too long to read. Ask for a shorter one.');
      pieces.push(bytes);
      return [];
    },
    end: () => read(Buffer.concat(pieces)),
  };
}
