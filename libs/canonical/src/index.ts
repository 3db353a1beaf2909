// This library holds the one neutral language in the middle, which dialects and providers both speak.
export type { ChatEvent } from './chat-event';
export type { ChatChoice, ChatReply } from './chat-reply';
export type {
  ChatTurn,
  FunctionTool,
  CustomTool,
  WebSearchTool,
  Tool,
  ToolChoice,
  ResponseFormat,
  ReasoningEffort,
  ReasoningOptions,
  ChatRequest,
} from './chat-request';
export { collectReply } from './collect-reply';
export type {
  MediaSource,
  CacheMark,
  OpaqueState,
  CitedDocument,
  Citation,
  TextBlock,
  ImageBlock,
  DocumentBlock,
  AudioBlock,
  VideoBlock,
  ToolCallBlock,
  ToolResultBlock,
  ReasoningBlock,
  WebSearchResult,
  WebSearchBlock,
  OpaqueBlock,
  ContentBlock,
} from './content';
export { createCountReader, isNumeral, readReportedCount, type CountReader } from './count-reader';
export {
  packVector,
  unpackVector,
  type EmbeddingInputs,
  type EmbeddingRequest,
  type EmbeddingVector,
  type EmbeddingReply,
} from './embedding';
export {
  asNumber,
  isExactNumber,
  isHeldByDouble,
  mayHoldLongNumber,
  parseExactJson,
  stringifyExactJson,
  type ExactNumber,
} from './exact-json';
export type { UnifiedFinish, FinishReason } from './finish-reason';
export { endOfScalar, endOfString, indexElements, indexMembers, readName, type MemberSpan } from './index-members';
export { asArray, asRecord, asText, parseJson, type JsonRecord } from './json-value';
export { isUnreadText, mayHoldUnread, placeLongText } from './long-text';
export { createLossReport, type LossReport } from './loss-report';
export type { ImageFormat, ImageRequest, MadeImage, ImageFacts, ImageReply, ImageEvent, ImageStreamDecoder } from './media/image';
export { readMediaFile, createMediaFile, type MediaFile } from './media/media-file';
export { inputTokens, outputTokens, addMediaUsage, measuredUnits, tokenUsage, type MediaUsage, NO_MEDIA_USAGE } from './media/media-usage';
export { SPEECH_FORMATS, type SpeechFormat, type SpeechRequest, type SpeechEvent, type SpeechDecoder } from './media/speech';
export {
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptionRequest,
  type TranscriptSegment,
  type TranscriptWord,
  type TranscriptionReply,
  type TranscriptionEvent,
  type TranscriptionStreamDecoder,
} from './media/transcription';
export { BodyInPieces, joinBody } from './body-in-pieces';
export {
  createOriginalBody,
  readMember,
  replaceMember,
  editBody,
  editOriginal,
  mayHoldWord,
  wordBit,
  type OriginalBody,
} from './original-body';
export { placeCacheMarks, type CachePlaces } from './place-cache-marks';
export { PLAIN_FIELDS, type PlainField, type PlainFieldId, type PlainFields } from './plain-fields';
export { listRemoteMedia, replaceSources, type RemoteSource, type RemoteKind, type RemoteMedia } from './remote-media';
export { isFieldAsked, REQUEST_FIELDS, type RequestFieldId } from './request-fields';
export { promptTokens, toCount, type Usage, NO_USAGE, cutAside, withoutAside } from './usage';
export { visitTools } from './visit-tools';
