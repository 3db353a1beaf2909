import { describeMediaByAddress } from '../clients/media-by-address.conformance';
import { startClientHarness } from '../harness/start-client-harness';

describe('media named by address', () => describeMediaByAddress(startClientHarness));
