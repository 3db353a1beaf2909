import { createPacedSource } from './paced-source';

/**
 * The length of a recording; undefined for one that cannot be read, or that takes more reads than any honest one. The library
 * is loaded when it is first needed.
 */
export async function measureSeconds(bytes: Uint8Array): Promise<number | undefined> {
  const { ALL_FORMATS, BufferSource, Input } = await import('mediabunny');
  const input = new Input({ formats: ALL_FORMATS, source: createPacedSource(BufferSource, bytes) });
  try {
    const seconds = await input.computeDuration();
    return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
  } catch {
    return undefined; // the caller has a guess for what no one can read
  } finally {
    input.dispose();
  }
}
