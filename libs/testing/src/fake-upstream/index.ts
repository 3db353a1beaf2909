export { startFakeUpstream, type FakeUpstream } from './start-fake-upstream';
export { parseRecordedBody, type ExchangeEnd, type RecordedRequest } from './recorded-request';
export type { BodyReply, ReplyPlan, ReplyRule, ReplyScript, StreamReply } from './scripted-reply';
export { createDefaultReply } from './default-replies';
export { DONE_FRAME, encodeSseFrame, parseSseText } from './sse-frames';
