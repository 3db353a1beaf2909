import { GatewayError } from '@weir/errors';
import { isFailureReport, readInBandFailure, type ChatProvider } from '@weir/providers';
import { parseFrameData } from './parse-frame-data';

/** An answer in one piece where a stream was asked for: most often it tells why there is none. */
export function readUnstreamed(provider: Pick<ChatProvider, 'readError'>, text: string): GatewayError {
  if (isFailureReport(parseFrameData(text))) return readInBandFailure(provider, text);
  return new GatewayError('provider_unreadable', 'The provider sent no stream of events.');
}
