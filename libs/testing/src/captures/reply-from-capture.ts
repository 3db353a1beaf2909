import type { ReplyScript } from '../fake-upstream/scripted-reply';
import type { Capture } from './capture';

/** Plays a capture again: streams frame by frame, everything else whole, with the status that was recorded. */
export function replyFromCapture(capture: Capture): ReplyScript {
  const contentType = capture.contentType;
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const status = capture.status ?? 200;
  if (capture.kind === 'sse') return { status, headers, stream: splitFrames(capture.body.toString()) };
  return { status, headers, body: capture.body };
}

/** Frames with their separators, so that the pieces put together are the recorded text. */
function splitFrames(text: string): string[] {
  return text.split(/(?<=\r?\n\r?\n)(?=[^\r\n])/);
}
