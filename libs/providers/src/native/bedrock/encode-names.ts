import { createHash } from 'node:crypto';

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;

/** Ids pair calls with results; one with illegal characters becomes the same legal one on both sides. */
export function encodeToolCallId(id: string): string {
  return LEGAL.test(id) ? id : `tooluse_${hash(id, 24)}`;
}

const DOCUMENT_NAME_CHARACTERS_MAX = 180;

/** Names documents as the provider allows: few characters, single spaces, and none twice in one request. */
export function createDocumentNames(): (filename: string | undefined) => string {
  const counts = new Map<string, number>();
  return (filename) => {
    const name = cleanName(filename ?? '') || 'document';
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} [${count}]`;
  };
}

function cleanName(filename: string): string {
  return filename
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^A-Za-z0-9 ()[\]-]+/g, '-')
    .replace(/ {2,}/g, ' ')
    .slice(0, DOCUMENT_NAME_CHARACTERS_MAX)
    .trim();
}

function hash(text: string, characters: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, characters);
}
