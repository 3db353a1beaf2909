import type { FinishReason } from '@weir/canonical';
import type { ReplyContext } from '../dialect/wire-format';

/** The member that says in each dialect why a reply ended, and what the dialect has no word for. */
const MEMBERS = {
  chat: { name: 'reply.finish_reason', missing: ['pause', 'error'] },
  responses: { name: 'reply.status', missing: ['pause'] },
  messages: { name: 'reply.stop_reason', missing: ['error'] },
} as const satisfies Record<string, { name: string; missing: readonly FinishReason['unified'][] }>;

/** Reports that a reply ended for a reason which its dialect cannot say: what it says instead is only the nearest. */
export function noteFinish(finish: FinishReason, dialect: keyof typeof MEMBERS, noteDropped: ReplyContext['noteDropped']): void {
  const { name, missing } = MEMBERS[dialect];
  const hasNoWord = (missing as readonly string[]).includes(finish.unified);
  if (finish.isNearest === true || hasNoWord) noteDropped?.(name);
}
