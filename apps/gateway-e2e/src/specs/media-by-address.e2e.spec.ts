import { describeMediaByAddress } from '../clients/media-by-address.conformance';
import { startClientHouse } from '../house/start-client-house';

describe('media named by address', () => describeMediaByAddress(startClientHouse));
