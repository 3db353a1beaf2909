import { describeWithFixtures } from '@weir/testing';
import { describeOpenaiResponses } from '../clients/openai-responses.conformance';
import { startClientHouse } from '../house/start-client-house';

describeWithFixtures('the OpenAI SDK on the Responses endpoint', () => describeOpenaiResponses(startClientHouse));
