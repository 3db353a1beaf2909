import { GatewayError } from '@weir/errors';
import { addHostedCalls, FailedReply, isFailureReport, readInBandFailure, type Provider, type ExpressLane } from '@weir/providers';
import { parseFrameData } from '../frames/parse-frame-data';

type Whole = { readonly usage?: unknown; readonly service_tier?: unknown; readonly output?: unknown };
type Lane = { readonly provider: Pick<Provider, 'readError'>; readonly express: Pick<ExpressLane, 'dialect' | 'readUsage'> };

/** The failure in a whole reply to a call for a stream: most often it says why there is no stream. The usage it reports is attached. */
export function readUnstreamed({ provider, express }: Lane, text: string): GatewayError {
  const whole = parseFrameData<Whole>(text);
  const failure = isFailureReport(whole)
    ? readInBandFailure(provider, text)
    : new GatewayError('provider_unreadable', 'The provider sent no stream of events. Try again, or use another model.');
  const read = express.readUsage(whole?.usage, whole?.service_tier);
  const reported = express.dialect === 'responses' ? addHostedCalls(read, whole?.output) : read;
  return reported === null ? failure : new FailedReply(failure, { chat: reported });
}
