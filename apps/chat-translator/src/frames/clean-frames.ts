import { splitFrames } from './split-frames';
import { splitFrame } from './edit-nested';

/** Whole frames with their data cleaned; empty when nothing is left of any. */
export function cleanFrames(frames: Buffer, cleanData: (data: string) => string | null): Buffer {
  let isChanged = false;
  const cleaned = splitFrames(frames.toString('utf8')).map((frame) => {
    const parts = splitFrame(frame);
    const data = parts === undefined ? undefined : cleanData(parts.data);
    if (parts === undefined || data === undefined || data === parts.data) return frame;
    isChanged = true;
    return data === null ? '' : `${parts.head}data: ${data}\n\n`;
  });
  return isChanged ? Buffer.from(cleaned.join('')) : frames;
}
