import { InBandError } from './express-tap';

/** Edits frame by frame. Throws the failure that a frame reports, with everything before it. */
export function editFrames(frames: Buffer, editFrame: (frame: string) => string | InBandError): string {
  let edited = '';
  for (const frame of splitFrames(frames.toString('utf8'))) {
    const result = editFrame(frame);
    if (result instanceof InBandError) throw new InBandError(result.body, edited);
    edited += result;
  }
  return edited;
}

/** A text of whole frames, frame by frame. */
export function splitFrames(text: string): string[] {
  return text.split(/(?<=\r?\n\r?\n)/);
}
