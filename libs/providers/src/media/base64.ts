import { readMediaFile, type MediaFile } from '@weir/canonical';
import { unreadableReply } from '../failures/unsupported';

const ALPHABET = /^[A-Za-z0-9+/]+={0,2}$/;

export async function encodeFile(file: MediaFile): Promise<string> {
  return (await readMediaFile(file)).toString('base64');
}

/** Base64 text as it is. Throws `provider_unreadable` for anything else, and for nothing. */
export function readBase64(value: unknown): string {
  if (typeof value !== 'string' || !ALPHABET.test(value)) throw unreadableReply();
  return value;
}

/** The bytes of base64 text. Throws as `readBase64` does. */
export function decodeBase64(value: unknown): Buffer {
  return Buffer.from(readBase64(value), 'base64');
}
