/** What a sandbox recording is: a tone of one voice, and the text it stands for. */
export type Recording = {
  readonly seconds: number;
  /** Of the tone, in hertz. */
  readonly frequency: number;
  /** Is found again by `findSpokenText`, where the format has a place for it. */
  readonly text: string;
};

export const SAMPLE_RATE = 24_000;
const LOUDNESS = 6_000;
const MARK = 'weir-text:';
const MARKED = /weir-text:([A-Za-z0-9_-]*);/;

/** 16-bit samples. */
export function makeSamples({ seconds, frequency }: Recording): Int16Array {
  const samples = new Int16Array(Math.round(seconds * SAMPLE_RATE));
  const step = (2 * Math.PI * frequency) / SAMPLE_RATE;
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.round(LOUDNESS * Math.sin(index * step));
  return samples;
}

/** The text in letters that stand in any kind of comment. */
export function markText({ text }: Recording): string {
  return `${MARK}${Buffer.from(text).toString('base64url')};`;
}

/** The text of a recording that the sandbox made; undefined for any other file. */
export function findSpokenText(bytes: Buffer): string | undefined {
  const at = bytes.indexOf(MARK);
  if (at === -1) return undefined;
  const marked = MARKED.exec(bytes.toString('latin1', at, at + 64 * 1024));
  return marked?.[1] === undefined ? undefined : Buffer.from(marked[1], 'base64url').toString('utf8');
}
