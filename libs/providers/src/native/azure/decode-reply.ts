import type { ChatCodec } from '../../provider/provider';
import { codecOf, type Surfaces } from './surfaces';

/** The verdicts of content filters stand beside the reply's own members; what is not read does not reach the caller. */
export function createDecodeReply(surfaces: Surfaces): ChatCodec['decodeReply'] {
  return (text, target) => codecOf(surfaces, target).decodeReply(text, target);
}
