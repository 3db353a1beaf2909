import { describeOpenaiCompletions } from '../clients/openai-completions.conformance';
import { startClientHouse } from '../house/start-client-house';

describe('the completions of the openai package', () => describeOpenaiCompletions(startClientHouse));
