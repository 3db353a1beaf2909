import type { MediaKind } from './media-kinds';
import { sniffMedia } from './sniff-media';

const bytes = (text: string): Buffer => Buffer.from(text.padEnd(64, '\0'), 'latin1');

it.each<[MediaKind, string, string]>([
  ['image', 'image/png', '\x89PNG\r\n\x1a\n'],
  ['image', 'image/jpeg', '\xff\xd8\xff\xe0'],
  ['image', 'image/gif', 'GIF89a'],
  ['image', 'image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['pdf', 'application/pdf', '%PDF-1.7'],
  ['video', 'video/mp4', '\0\0\0\x20ftypisom'],
  ['video', 'video/quicktime', '\0\0\0\x14ftypqt  '],
  ['video', 'video/3gpp', '\0\0\0\x14ftyp3gp5'],
  ['video', 'video/webm', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm'],
  ['video', 'video/x-matroska', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska'],
  ['video', 'video/x-msvideo', 'RIFF\x10\0\0\0AVI LIST'],
])('knows an %s by its first bytes: %s', (kind, mediaType, head) => {
  expect(sniffMedia(bytes(head), kind)).toBe(mediaType);
});

it.each<[MediaKind, string]>([
  ['image', '%PDF-1.7'],
  ['image', '<svg xmlns="http://www.w3.org/2000/svg">'],
  ['image', '<!doctype html>'],
  ['image', 'RIFF\x10\0\0\0WAVEfmt '],
  ['image', ''],
  ['pdf', ' %PDF-1.7'],
  ['pdf', '\x89PNG\r\n\x1a\n'],
  ['video', '\0\0\0\x20ftypheic'],
  ['video', '\0\0\0\x20ftypM4A '],
  ['video', 'GIF89a'],
])('takes for no %s: %j', (kind, head) => {
  expect(sniffMedia(bytes(head), kind)).toBeUndefined();
});
