import { packRecording, type Container } from './__fixtures__/recordings';
import { measureAudio } from './measure-audio';
import { measureSeconds } from './measure-seconds';

const HONEST = { codec: 'opus', count: 500, seconds: 0.02 } as const;
/** Packets of 120 ms that are stated to last one. */
const UNDERSTATED = { codec: 'opus', count: 100, seconds: 0.001, bytes: Uint8Array.of(0x7b, 6, 0, 0, 0, 0) } as const;

async function measureBoth(bytes: Buffer): Promise<{ readonly stated: number | undefined; readonly most: number }> {
  const source = {
    type: '',
    size: bytes.length,
    async *read() {
      yield bytes;
    },
  };
  return { stated: await measureSeconds(bytes), most: await measureAudio(source) };
}

describe('the stated length and the bound', () => {
  it.each(['webm', 'matroska', 'ogg', 'mp4', 'mp4 in fragments'] as const)('are both at hand for %s', async (container: Container) => {
    const { stated, most } = await measureBoth(await packRecording(container, HONEST));
    expect(stated).toBeCloseTo(10, 1);
    expect(most).toBeGreaterThanOrEqual(stated ?? 0);
  });

  it('differ for Opus in MP4, where the bound would charge six times the length', async () => {
    const { stated, most } = await measureBoth(await packRecording('mp4', HONEST));
    expect(most / (stated ?? 0)).toBeCloseTo(6, 1);
  });

  it.each(['webm', 'mp4'] as const)(
    'differ for %s that states less than its packets last, where only the bound holds',
    async (container) => {
      const { stated, most } = await measureBoth(await packRecording(container, UNDERSTATED));
      expect(stated).toBeLessThan(0.2);
      expect(most).toBeCloseTo(12, 1);
    },
  );
});

it('returns undefined for bytes that are not a recording', async () => {
  expect(await measureSeconds(Buffer.from('not a recording'))).toBeUndefined();
});
