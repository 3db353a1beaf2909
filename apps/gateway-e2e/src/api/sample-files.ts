import { makeRecording } from '@weir/testing';

/** One red pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A tenth of a second of silence. */
const RECORDING = Buffer.from(makeRecording(0.1));

export const SAMPLE_FILES: Readonly<Record<string, { readonly bytes: Buffer; readonly type: string }>> = {
  'picture.png': { bytes: PICTURE, type: 'image/png' },
  'recording.wav': { bytes: RECORDING, type: 'audio/wav' },
};
