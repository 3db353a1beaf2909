import { describeOpenaiChat } from '../clients/openai-chat.conformance';
import { startClientHarness } from '../harness/start-client-harness';

describe('the sandbox provider through the standalone gateway', () => describeOpenaiChat(startClientHarness));
