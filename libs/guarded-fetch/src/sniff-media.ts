import type { MediaKind } from './media-kinds';

/** This many bytes of a file are enough to find its media type. */
export const SNIFFED_BYTES = 64;

type Signature = { readonly kind: MediaKind; readonly mediaType: string; readonly matches: (head: Buffer) => boolean };

const SIGNATURES: readonly Signature[] = [
  { kind: 'image', mediaType: 'image/png', matches: (head) => startsWith(head, 0, '\x89PNG\r\n\x1a\n') },
  { kind: 'image', mediaType: 'image/jpeg', matches: (head) => startsWith(head, 0, '\xff\xd8\xff') },
  { kind: 'image', mediaType: 'image/gif', matches: (head) => startsWith(head, 0, 'GIF87a') || startsWith(head, 0, 'GIF89a') },
  { kind: 'image', mediaType: 'image/webp', matches: (head) => startsWith(head, 0, 'RIFF') && startsWith(head, 8, 'WEBP') },
  { kind: 'pdf', mediaType: 'application/pdf', matches: (head) => startsWith(head, 0, '%PDF-') },
  { kind: 'video', mediaType: 'video/quicktime', matches: (head) => startsWith(head, 4, 'ftypqt') },
  { kind: 'video', mediaType: 'video/3gpp', matches: (head) => startsWith(head, 4, 'ftyp3g') },
  { kind: 'video', mediaType: 'video/mp4', matches: isMp4 },
  { kind: 'video', mediaType: 'video/webm', matches: (head) => isMatroska(head) && head.includes('webm') },
  { kind: 'video', mediaType: 'video/x-matroska', matches: isMatroska },
  { kind: 'video', mediaType: 'video/x-msvideo', matches: (head) => startsWith(head, 0, 'RIFF') && startsWith(head, 8, 'AVI ') },
  { kind: 'video', mediaType: 'video/x-flv', matches: (head) => startsWith(head, 0, 'FLV\x01') },
  { kind: 'video', mediaType: 'video/x-ms-wmv', matches: (head) => startsWith(head, 0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11') },
  { kind: 'video', mediaType: 'video/mpeg', matches: (head) => startsWith(head, 0, '\0\0\x01\xba') || startsWith(head, 0, '\0\0\x01\xb3') },
];

/** The media type by a file's first bytes, for a file that should be of `kind`; undefined when it is something else. */
export function sniffMedia(head: Buffer, kind: MediaKind): string | undefined {
  return SIGNATURES.find((signature) => signature.kind === kind && signature.matches(head))?.mediaType;
}

/** The same container holds pictures, or sound alone; its brand shows which. */
function isMp4(head: Buffer): boolean {
  return startsWith(head, 4, 'ftyp') && !/^(?:hei|hev|mif1|msf1|avif|avis|M4A |M4B )/.test(head.toString('latin1', 8, 12));
}

function isMatroska(head: Buffer): boolean {
  return startsWith(head, 0, '\x1a\x45\xdf\xa3');
}

function startsWith(head: Buffer, offset: number, signature: string): boolean {
  return head.toString('latin1', offset, offset + signature.length) === signature;
}
