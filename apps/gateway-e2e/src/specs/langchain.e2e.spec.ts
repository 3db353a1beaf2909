import { describeLangchain } from '../clients/langchain.conformance';
import { startClientHarness } from '../harness/start-client-harness';

describe('LangChain', () => describeLangchain(startClientHarness));
