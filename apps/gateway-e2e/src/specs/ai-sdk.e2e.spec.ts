import { describeWithFixtures } from '@weir/testing';
import { describeAiSdk } from '../clients/ai-sdk.conformance';
import { startClientHouse } from '../house/start-client-house';

describeWithFixtures('the AI SDK', () => describeAiSdk(startClientHouse));
