import { sniffFileType } from './sniff-file-type';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('what a file is', () => {
  test.each([
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['fLaC\0\0\0"', 'audio/flac'],
    ['OggS\0\x02', 'audio/ogg'],
    ['\0\0\0 ftypM4A ', 'audio/mp4'],
    ['\0\0\0 ftypisom', 'video/mp4'],
    ['\0\0\0 ftypheic', 'application/octet-stream'],
    ['\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm', 'video/webm'],
    ['\x1a\x45\xdf\xa3\x9fB\x82\x88matroska', 'application/octet-stream'],
    ['ID3\x04', 'audio/mpeg'],
    ['\xff\xfb\x90\x64', 'audio/mpeg'],
    ['\xff\xf3\x40\xc0', 'audio/mpeg'],
    ['\xff\xf1\x50\x80', 'audio/aac'],
    ['\xff\xff\xff\xff', 'application/octet-stream'],
    ['%PDF-1.7', 'application/pdf'],
    ['RIFF\0\0\0\0AVI LIST', 'application/octet-stream'],
    ['hello', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('%j is %s', (head, type) => {
    expect(sniffFileType(latin1(head))).toBe(type);
  });
});
