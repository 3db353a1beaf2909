import { describeLangchain } from '../clients/langchain.conformance';
import { startClientHouse } from '../house/start-client-house';

describe('LangChain', () => describeLangchain(startClientHouse));
