import type { ChatCodec } from '../../provider/provider';
import { codecOf, type Surfaces } from './surfaces';

/**
 * The filters' verdicts come as a first chunk without choices and, when the filter runs late, as chunks without a delta:
 * neither is an event, so neither reaches the caller.
 */
export function createDecodeStream(surfaces: Surfaces): ChatCodec['createStreamDecoder'] {
  return (target) => codecOf(surfaces, target).createStreamDecoder(target);
}
