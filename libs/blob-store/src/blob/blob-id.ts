import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;
const FORM = /^file-[0-9A-Za-z]{24}$/;

export function createBlobId(): string {
  let id = 'file-';
  for (let index = 0; index < LENGTH; index += 1) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}

/** Whether a text may be looked for at all: ids become parts of paths. */
export function isBlobId(text: string): boolean {
  return FORM.test(text);
}

/** Organizations become parts of paths too: whatever their ids are made of, nothing of it leads elsewhere. */
export function encodeOwner(organizationId: string): string {
  return Buffer.from(organizationId).toString('hex');
}
