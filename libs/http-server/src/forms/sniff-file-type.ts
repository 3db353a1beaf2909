/** So many bytes of a file are enough to recognize its type. */
export const SNIFFED_BYTES = 64;

const UNKNOWN_TYPE = 'application/octet-stream';

type Signature = { readonly type: string; readonly matches: (head: string) => boolean };

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', matches: (head) => head.startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', matches: (head) => head.startsWith('\xff\xd8\xff') },
  { type: 'image/gif', matches: (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a') },
  { type: 'image/webp', matches: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8) },
  { type: 'audio/wav', matches: (head) => /^(?:RIFF|RF64)/.test(head) && head.startsWith('WAVE', 8) },
  { type: 'audio/flac', matches: (head) => head.startsWith('fLaC') },
  { type: 'audio/ogg', matches: (head) => head.startsWith('OggS') },
  { type: 'audio/mp4', matches: (head) => head.startsWith('ftyp', 4) && /^M4[AB] /.test(head.slice(8)) },
  { type: 'video/mp4', matches: (head) => head.startsWith('ftyp', 4) && !/^(?:hei|hev|mif1|msf1|avif|avis|qt )/.test(head.slice(8)) },
  { type: 'video/webm', matches: (head) => head.startsWith('\x1a\x45\xdf\xa3') && head.includes('webm') },
  { type: 'audio/mpeg', matches: (head) => head.startsWith('ID3') || isMpegFrame(head) },
  { type: 'audio/aac', matches: (head) => head.startsWith('ADIF') || /^\xff[\xf0\xf1\xf8\xf9]/.test(head) },
  { type: 'application/pdf', matches: (head) => head.startsWith('%PDF-') },
];

/** The media type by a file's first bytes; `application/octet-stream` when they show none. Its name does not count. */
export function sniffFileType(head: Buffer): string {
  const text = head.toString('latin1', 0, SNIFFED_BYTES);
  return SIGNATURES.find(({ matches }) => matches(text))?.type ?? UNKNOWN_TYPE;
}

/** Eleven bits of synchronisation, then a version, a layer, a bit rate and a sample rate that exist. */
function isMpegFrame(head: string): boolean {
  const [first, second, third] = [head.charCodeAt(0), head.charCodeAt(1), head.charCodeAt(2)];
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const [version, layer, bitRate, sampleRate] = [(second >> 3) & 3, (second >> 1) & 3, third >> 4, (third >> 2) & 3];
  return version !== 1 && layer !== 0 && bitRate !== 15 && sampleRate !== 3;
}
