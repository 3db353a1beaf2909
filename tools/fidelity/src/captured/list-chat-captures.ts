import { listCaptures, loadCaptures, type Capture } from '@weir/testing';
import type { ChatCapture, Family, LeftOut } from './chat-capture';
import { cutAfterFirstReply } from './cut-after-first-reply';
import { findProvider } from './find-provider';
import { readRawEvents, type RawEvent } from './raw-events';
import { isRaw, raw, textOf, type Raw } from '../reading/raw-json';
import { unpackRecording } from './unpack-recording';

/**
 * Which captures are chat replies. The rule: an exchange counts when its recorded address is a chat endpoint of a provider's
 * current API; one without an address counts when its body has the shape of a chat reply, or is an error body in a folder of
 * chat captures. Everything else is left out with the reason.
 */
export function listChatCaptures(): { captures: ChatCapture[]; leftOut: LeftOut[] } {
  const captures: ChatCapture[] = [];
  const leftOut: LeftOut[] = [];
  for (const path of listCaptures()) {
    const exchanges = loadCaptures(path).flatMap(unpackRecording);
    exchanges.forEach((capture, index) => {
      const name = exchanges.length === 1 ? path : `${path}#${index}`;
      const found = classify(name, capture);
      if ('reason' in found) leftOut.push(found);
      else captures.push(found);
    });
  }
  return { captures, leftOut };
}

function classify(name: string, recorded: Capture): ChatCapture | LeftOut {
  const capture = cutAfterFirstReply(recorded);
  if (capture.role !== 'reply')
    return { name, reason: capture.role === 'request' ? 'a client’s request' : 'another gateway’s translation' };
  const url = capture.request?.url;
  const events = readRawEvents(capture);
  const hasAddress = url !== undefined && url !== '';
  const family = hasAddress ? familyOfAddress(url) : familyOfBody(name, events);
  if (family === undefined) return { name, reason: hasAddress ? reasonOfAddress(url) : reasonOfBody(name) };
  return {
    name,
    capture,
    family,
    provider: findProvider(name, capture, family),
    model: findModel(capture, events),
    isStream: isStreamed(name, capture),
    events,
  };
}

const ADDRESSES: readonly (readonly [RegExp, Family])[] = [
  [/\/chat\/completions([?#]|$)/, 'chat'],
  [/\/responses([?#]|$)/, 'responses'],
  [/\/v1\/messages([?#]|$)/, 'messages'],
  [/:(streamG|g)enerateContent/, 'gemini'],
  [/\/converse(-stream)?$/, 'bedrock'],
  [/\/v2\/chat$/, 'cohere'],
];

function familyOfAddress(url: string): Family | undefined {
  return ADDRESSES.find(([pattern]) => pattern.test(url))?.[1];
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/embed/i, 'embeddings'],
  [/rerank/i, 'reranking'],
  [/image|predictions/i, 'image generation'],
  [/audio|transcription|speech/i, 'audio'],
  [/\/invoke/, 'a vendor’s own body inside Bedrock’s invoke, which the gateway does not speak'],
  [/\/complet(ions|e)([?#]|$)/, 'the old text completion endpoints'],
  [/count[-_]?tokens|input_tokens/i, 'counting tokens'],
  [/threads|assistants/, 'the Assistants API'],
  [/replicate/, 'predictions of a service that is not a chat API'],
  [/fileSearch|upload/i, 'managing files'],
];

function reasonOfAddress(url: string): string {
  return REASONS.find(([pattern]) => pattern.test(url))?.[1] ?? `another endpoint: ${url.replace(/^https?:\/\/[^/]+/, '').slice(0, 60)}`;
}

const NAME_REASONS: readonly (readonly [RegExp, string])[] = [
  [/\/interactions--/, 'the Interactions API, which the gateway does not speak'],
  [/\/completion--/, 'the old text completion endpoints'],
  [/\/skills--/, 'managing skills'],
  [/embed/i, 'embeddings'],
  [/rerank/i, 'reranking'],
  [/image/i, 'image generation'],
  [/transcription|speech|audio/i, 'audio'],
  [/count_tokens|total-tokens|billable|detailed-token/, 'counting tokens'],
  [/\/detect\/|\.html$|invalid-response/, 'not a reply of any API: bytes for detectors'],
  [/schema/, 'a JSON schema'],
];

function reasonOfBody(name: string): string {
  return NAME_REASONS.find(([pattern]) => pattern.test(name))?.[1] ?? 'a body without the shape of a chat reply';
}

/** Folders whose files without an address are chat captures of one wire; here an error body is a chat error. */
const FOLDERS: readonly (readonly [RegExp, Family])[] = [
  [/^FirebaseExtended|\/google\/google-|vertex-gemini\//, 'gemini'],
  [/\/responses--/, 'responses'],
  [/\/chat--|agentgateway\/completions\//, 'chat'],
];

function familyOfBody(name: string, events: readonly RawEvent[]): Family | undefined {
  if (NAME_REASONS.some(([pattern]) => pattern.test(name)) && !CHAT_ALL_THE_SAME.test(name)) return undefined;
  const values = events.filter((event): event is Raw => typeof event !== 'symbol');
  const shape = values
    .slice(0, 3)
    .map(familyOfShape)
    .find((family) => family !== undefined);
  if (shape !== undefined) return shape;
  return isRaw(values[0]?.['error']) ? FOLDERS.find(([pattern]) => pattern.test(name))?.[1] : undefined;
}

/** Chat replies with a name that sounds like something else. */
const CHAT_ALL_THE_SAME = /\/responses--|\/chat--|(success|failure)-image|res-audio/;

const SHAPES: readonly (readonly [Family, (value: Raw, type: string) => boolean])[] = [
  ['chat', (value) => Array.isArray(value['choices']) && value['object'] !== 'text_completion'],
  ['responses', (value, type) => value['object'] === 'response' || type.startsWith('response.')],
  ['messages', (_value, type) => type === 'message' || /^(message_|content_block)/.test(type)],
  ['gemini', (value) => Array.isArray(value['candidates']) || isRaw(value['promptFeedback'])],
  ['bedrock', (value) => isRaw(raw(value['output'])['message']) || Object.keys(value).some((name) => BEDROCK_EVENTS.has(name))],
  ['cohere', (value, type) => type === 'message-start' || (isRaw(value['message']) && typeof value['finish_reason'] === 'string')],
];

function familyOfShape(value: Raw): Family | undefined {
  return SHAPES.find(([, fits]) => fits(value, textOf(value['type'])))?.[0];
}

const BEDROCK_EVENTS = new Set(['messageStart', 'contentBlockStart', 'contentBlockDelta']);

function isStreamed(name: string, capture: Capture): boolean {
  if (capture.kind !== 'json') return true;
  const asked = capture.request?.body;
  return /streaming-failure/.test(name) || /stream/i.test(capture.request?.url ?? '') || (isRaw(asked) && asked['stream'] === true);
}

function findModel(capture: Capture, events: readonly RawEvent[]): string {
  const asked = textOf(raw(capture.request?.body)['model']);
  const inAddress = /\/models?\/([^/:?]+)/.exec(capture.request?.url ?? '')?.[1];
  const values = events.filter((event): event is Raw => typeof event !== 'symbol').slice(0, 3);
  const models = values
    .flatMap((value) => [value['model'], value['modelVersion'], raw(value['response'])['model'], raw(value['message'])['model']])
    .map(textOf);
  return asked || decodeURIComponent(inAddress ?? '') || (models.find((model) => model !== '') ?? '');
}
