import { describeWithFixtures } from '@weir/testing';
import { describeAnthropicSdk } from '../clients/anthropic-sdk.conformance';
import { startClientHarness } from '../harness/start-client-harness';

describeWithFixtures('the Anthropic SDK', () => describeAnthropicSdk(startClientHarness));
