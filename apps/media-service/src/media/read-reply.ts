import type { MediaUsage } from '@weir/canonical';
import { mediaUsageOf } from '@weir/providers';

/** Reads a reply; of one that turns out to be a failure, `note` gets the usage that its provider reported. */
export async function readReply<Reply>(read: () => Reply | Promise<Reply>, note: (reported: MediaUsage) => void): Promise<Reply> {
  try {
    return await read();
  } catch (error) {
    const reported = mediaUsageOf(error);
    if (reported !== null) note(reported);
    throw error;
  }
}
