import { createMediaFile, NO_MEDIA_USAGE, type MediaUsage, type TranscriptionRequest } from '@weir/canonical';
import { measureAudio, measureSeconds } from '@weir/recordings';
import type { ProviderTarget } from '@weir/providers';
import { completeTranscriptionUsage, measureLength } from './transcription-usage';

const target = {
  attempt: { upstreamModel: 'm', prices: { kind: 'units', version: 'v', units: { second: '0.0001' } } },
  model: { maxOutputTokens: null },
} as unknown as ProviderTarget;

async function complete(bytes: Buffer, type: string, reported: Partial<MediaUsage>) {
  const file = createMediaFile(bytes, { name: 'said', type });
  const usage: MediaUsage = { ...NO_MEDIA_USAGE, ...reported };
  const length = await measureLength(file, measureSeconds);
  return { file, completed: completeTranscriptionUsage(usage, { asked: { file } as TranscriptionRequest, target, length, text: '' }) };
}

function wav(seconds: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.write('WAVEfmt ', 8);
  for (const [at, value] of [[16, 16], [24, 16_000], [28, 32_000], [40, 32_000 * seconds]] as const) head.writeUInt32LE(value, at); // prettier-ignore
  for (const [at, value] of [[20, 1], [22, 1], [32, 2], [34, 16]] as const) head.writeUInt16LE(value, at); // prettier-ignore
  head.write('data', 36);
  return Buffer.concat([head, Buffer.alloc(32_000 * seconds)]);
}

describe('the seconds that a provider reported of a recording', () => {
  it('stand where they are no more than was set aside, also at a low bit rate', async () => {
    const { file, completed } = await complete(Buffer.alloc(100_000, 7), 'application/octet-stream', { seconds: 190 });
    expect(await measureAudio(file)).toBe(200);
    expect(completed).toEqual({ usage: { ...NO_MEDIA_USAGE, seconds: 190 } });
  });

  it('are cut to what was set aside where the length is known', async () => {
    const { file, completed } = await complete(wav(70), 'audio/wav', { seconds: 71.5 });
    expect(await measureAudio(file)).toBeCloseTo(70, 1);
    expect(completed).toMatchObject({
      usage: { seconds: Math.ceil(await measureAudio(file)), source: 'estimate' },
      doubted: { seconds: 71.5 },
    });
  });
});
