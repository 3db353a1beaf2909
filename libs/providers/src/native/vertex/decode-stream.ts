import type { ChatCodec } from '../../provider/provider';
import { codecOf, type Surfaces } from './surfaces';

/** Streams are in the words of each model's maker. */
export function createDecodeStream(surfaces: Surfaces): ChatCodec['createStreamDecoder'] {
  return (target) => codecOf(surfaces, target).createStreamDecoder(target);
}
