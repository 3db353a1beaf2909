import { describeOpenaiChat } from '../clients/openai-chat.conformance';
import { startClientHouse } from '../house/start-client-house';

describe('the sandbox provider through the standalone gateway', () => describeOpenaiChat(startClientHouse));
