import { describeWithFixtures } from '@weir/testing';
import { describeAnthropicSdk } from '../clients/anthropic-sdk.conformance';
import { startClientHouse } from '../house/start-client-house';

describeWithFixtures('the Anthropic SDK', () => describeAnthropicSdk(startClientHouse));
