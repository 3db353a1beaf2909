import type { Capture } from '@weir/testing';

const LAST_EVENT = /^(event: ?.*\n)?data: ?\{.*"type": ?"(message_stop|response\.completed|response\.incomplete|response\.failed)"/m;

/** Some recordings hold several streams one after another, as no connection carries them: only the first is a reply. */
export function cutAfterFirstReply(capture: Capture): Capture {
  if (capture.kind !== 'sse') return capture;
  const frames = capture.body.toString().split(/(?<=\r?\n\r?\n)/);
  const last = frames.findIndex((frame) => LAST_EVENT.test(frame));
  const hasMore = last !== -1 && frames.slice(last + 1).some((frame) => /"type": ?"(message_start|response\.created)"/.test(frame));
  return hasMore ? { ...capture, body: frames.slice(0, last + 1).join('') } : capture;
}
