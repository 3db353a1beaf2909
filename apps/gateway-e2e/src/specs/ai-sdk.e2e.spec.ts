import { describeWithFixtures } from '@weir/testing';
import { describeAiSdk } from '../clients/ai-sdk.conformance';
import { startClientHarness } from '../harness/start-client-harness';

describeWithFixtures('the AI SDK', () => describeAiSdk(startClientHarness));
