import type { ChatDialect } from '@weir/contracts';
import type { ChatCapture } from '../captured/chat-capture';
import type { PlainReply } from '../reading/plain-reply';
import type { Finding } from './compare-replies';

/** One capture on its way to a caller of one dialect. */
export type ReplayedCapture = {
  readonly chat: ChatCapture;
  readonly dialect: ChatDialect;
  readonly lane: 'express' | 'translated';
  readonly expected: PlainReply;
  /** What the official client finds in the raw capture, where it speaks the client's dialect. */
  readonly direct: readonly Finding[];
};
