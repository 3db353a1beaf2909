import { describeOpenaiCompletions } from '../clients/openai-completions.conformance';
import { startClientHarness } from '../harness/start-client-harness';

describe('the completions of the openai package', () => describeOpenaiCompletions(startClientHarness));
