export type { Capture, CapturedRequest, CaptureKind } from './capture';
export { loadCapture, loadCaptures } from './load-capture';
export { describeWithFixtures, getFixturesFolder, hasFixtures, listCaptures, type CaptureFilter } from './fixtures-folder';
export { encodeEventStreamMessage } from './encode-event-stream';
export { replyFromCapture } from './reply-from-capture';
