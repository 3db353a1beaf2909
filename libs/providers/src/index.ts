// This library speaks to upstream providers: one data entry for a compatible one, one folder for a native one.
export {
  createProviderAccounts,
  type AccountFields,
  type ProviderAccounts,
  type ProviderAccountsParts,
} from './accounts/create-provider-accounts';
export { isKeyRefused } from './accounts/is-key-refused';
export { inspectAccount } from './accounts/inspect-account';
export { createAttemptProviders, findOwnAccounts, type AttemptProviders } from './accounts/find-own-accounts';
export { isSpent, readAllowance } from './allowance/read-allowance';
export type { OpenAccounts } from './gateway-accounts/open-accounts';
export { openProviders, readVaultSettings } from './gateway-accounts/open-from-settings';
export type { AccountSpec } from './gateway-accounts/account-spec.schema';
export { readAccountDocument } from './gateway-accounts/read-account-document';
export { showAccount } from './gateway-accounts/show-account';
export { dispatchCall, isSuccess, readFailure, type CallTimeouts } from './calls/dispatch-call';
export { dispatchMediaCall, askForMedia } from './calls/dispatch-media-call';
export type { ChatCodec, HistoryRule, ExpressLane, Provider } from './provider/provider';
export type { ModelFacts, ProviderTarget, EncodedCall, ExpressCall } from './provider/target';
export type { WholeReply, EmbeddingExpress, EmbeddingCodec } from './provider/embedding-provider';
export { chatUsageOf, FailedReply, mediaUsageOf } from './failures/failed-reply';
export { checkTools, leaveOutMembers, listChoosing, ruleMembers, type MemberRules, type RuledDialect } from './members/member-rules';
export { isFailureReport, readInBandFailure } from './failures/in-band-failure';
export { hideKnownSecrets } from './failures/known-secrets';
export { FramePattern } from './streams/frame-pattern';
export { createSseReader, FrameBounds } from './streams/sse-frames';
export { SEARCH_PROVIDERS } from './failures/unsupported';
export { needsFetching, type FetchedAddresses, NO_ADDRESSES } from './provider/fetched-addresses';
export { findTarget, refuseUnreached, type LaneMap, type FoundTarget, type ServedModel } from './directory/find-target';
export { findKeySetting, listKeySettingNames, listKeySettings } from './directory/key-settings';
export { nameInTraces } from './directory/name-in-traces';
export type { MediaCall, MediaReply, ImageLane, SpeechLane, TranscriptionLane } from './provider/media-provider';
export { createProviderDirectory, type ProviderDirectory } from './directory/provider-directory';
export { checkProviderRows, createCompatibleRows, type CompatibleRows } from './directory/compatible-rows';
export { createSandboxProvider } from './openai-compatible/create-sandbox-provider';
export type { ChatDeviation } from './openai-compatible/rules/compatible-provider.schema';
export { decodeFinish } from './openai-compatible/decode-finish';
export { readCalled, readWords } from './openai-compatible/decode-message';
export { addHostedCalls } from './native/openai-responses/hosted-calls';
export {
  findTokenFamily,
  estimateTextTokens,
  estimateReplyTokens,
  estimatePromptTokens,
  type ReplyTexts,
} from './token-estimates/estimate-tokens';
