import { describeWithFixtures } from '@weir/testing';
import { describeOpenaiResponses } from '../clients/openai-responses.conformance';
import { startClientHarness } from '../harness/start-client-harness';

describeWithFixtures('the OpenAI SDK on the Responses endpoint', () => describeOpenaiResponses(startClientHarness));
