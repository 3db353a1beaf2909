/** Cannot stand inside a JSON string, whose quotes are escaped. */
export const NULL_USAGE = ',"usage":null';

/**
 * Frames without a usage of null: clients with strict types know an object or nothing. `text` is the same frames as
 * latin1. The very same buffer when there is none.
 */
export function withoutNullUsage(frames: Buffer, text: string): Buffer {
  const at = text.indexOf(NULL_USAGE);
  if (at === -1) return frames;
  const after = at + NULL_USAGE.length;
  if (text.includes(NULL_USAGE, after)) return Buffer.from(text.replaceAll(NULL_USAGE, ''), 'latin1');
  return Buffer.concat([frames.subarray(0, at), frames.subarray(after)], frames.length - NULL_USAGE.length);
}
