import type { ChatCodec } from '../../provider/provider';
import { codecOf, type Surfaces } from './surfaces';

/** Replies are in the words of each model's maker. */
export function createDecodeReply(surfaces: Surfaces): ChatCodec['decodeReply'] {
  return (text, target) => codecOf(surfaces, target).decodeReply(text, target);
}
