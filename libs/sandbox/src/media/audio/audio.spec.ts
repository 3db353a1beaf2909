import { measureSeconds } from '@weir/recordings';
import { encodeAac } from './encode-aac';
import { encodeFlac } from './encode-flac';
import { encodeMp3 } from './encode-mp3';
import { encodeOpus } from './encode-opus';
import { encodePcm } from './encode-pcm';
import { encodeWav } from './encode-wav';
import { findSpokenText, SAMPLE_RATE, type Recording } from './recording';

const recording: Recording = { seconds: 3.3, frequency: 300, text: 'Grüße, world; said' };

describe('recordings of the sandbox', () => {
  it.each([
    ['wav', encodeWav, 0.001],
    ['flac', encodeFlac, 0.001],
    ['mp3', encodeMp3, 0.03],
    ['aac', encodeAac, 0.05],
    ['opus', encodeOpus, 0.021],
  ])('%s is read by others, as long as it should be', async (_name, encode, within) => {
    const seconds = await measureSeconds(Buffer.concat(encode(recording)));
    expect(Math.abs((seconds ?? 0) - recording.seconds)).toBeLessThan(within);
  });

  it.each([
    ['wav', encodeWav],
    ['flac', encodeFlac],
    ['mp3', encodeMp3],
    ['opus', encodeOpus],
  ])('%s carries what it says', (_name, encode) => {
    expect(findSpokenText(Buffer.concat(encode(recording)))).toBe(recording.text);
  });

  it('samples are a tone and nothing else', () => {
    const bytes = Buffer.concat(encodePcm(recording));
    expect(bytes.length).toBe(Math.round(recording.seconds * SAMPLE_RATE) * 2);
    expect(Math.max(...new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 2000)))).toBeGreaterThan(5000);
  });

  it('nothing is heard in a file that is none', async () => {
    expect(await measureSeconds(Buffer.from('not a recording'))).toBeUndefined();
    expect(findSpokenText(Buffer.from('weir-text:?'))).toBeUndefined();
  });
});
