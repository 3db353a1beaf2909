import { encodeSseFrame, type FakeUpstream, type ReplyScript } from '@weir/testing';

/** How one provider of a harness fails, once for each time it is called. */
export type Outages = {
  /** The next request to this path fails like that. */
  next(path: string, script: ReplyScript): void;
};

export const OVERLOADED: ReplyScript = {
  status: 529,
  headers: { 'retry-after': '0' },
  body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
};

/** What a stream of the messages dialect begins with, and reports the usage of its prompt in. */
export const BEGUN = encodeSseFrame(
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 300, output_tokens: 1 },
    },
  },
  'message_start',
);
export const FAILED = encodeSseFrame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error');

/** A stream that begins, and then fails before its first text. */
export const BEGUN_AND_FAILED: ReplyScript = { stream: [BEGUN, FAILED], gapMs: 20 };

export function scriptOutages(upstream: FakeUpstream): Outages {
  return { next: (path, script) => upstream.reply(script, { when: (request) => request.path.endsWith(path), times: 1 }) };
}
