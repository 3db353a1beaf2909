import { createTopics } from '@weir/kafka';
import { describeWithFixtures, describeWithRealParts } from '@weir/testing';
import { describeAiSdk } from '../clients/ai-sdk.conformance';
import { describeAnthropicSdk } from '../clients/anthropic-sdk.conformance';
import { describeFiles } from '../clients/files.conformance';
import { describeLangchain } from '../clients/langchain.conformance';
import { describeMediaByAddress } from '../clients/media-by-address.conformance';
import { describeOpenaiChat } from '../clients/openai-chat.conformance';
import { describeOpenaiImages } from '../clients/openai-images.conformance';
import { describeOpenaiResponses } from '../clients/openai-responses.conformance';
import { describeOpenaiResponsesSocket } from '../clients/openai-responses-socket.conformance';
import { describeOpenaiSpeech } from '../clients/openai-speech.conformance';
import { describeOpenaiTranscription } from '../clients/openai-transcription.conformance';
import type { OpenClientHarness } from '../harness/client-harness';
import { startClientHarnessesApart, type ClientHarnessesApart } from '../harness/start-client-harnesses-apart';

describeWithRealParts(['postgres', 'redis', 'kafka'], 'official clients of one process per service', () => {
  let harnesses: ClientHarnessesApart | undefined;
  const open: OpenClientHarness = () => {
    if (harnesses === undefined) throw new Error('the harness has not started');
    return harnesses.open();
  };

  beforeAll(async () => {
    harnesses = await startClientHarnessesApart(createTopics);
  }, 180_000);
  afterAll(() => harnesses?.stop(), 60_000);

  describe('the OpenAI SDK on chat completions', () => describeOpenaiChat(open));
  describeWithFixtures('the OpenAI SDK on the Responses endpoint', () => describeOpenaiResponses(open));
  describe('the OpenAI SDK on the WebSocket mode of responses', () => describeOpenaiResponsesSocket(open));
  describeWithFixtures('the Anthropic SDK', () => describeAnthropicSdk(open));
  describeWithFixtures('the AI SDK', () => describeAiSdk(open));
  describe('LangChain', () => describeLangchain(open));
  describe('media named by address', () => describeMediaByAddress(open));
  describe('files and forms', () => describeFiles(open));
  describe('the OpenAI SDK on images', () => describeOpenaiImages(open));
  describe('the OpenAI SDK on speech', () => describeOpenaiSpeech(open));
  describe('the OpenAI SDK on transcriptions', () => describeOpenaiTranscription(open));
});
