import type { ChatDialect } from '@weir/contracts';
import { checkChatGrammar } from './check-chat-grammar';
import { checkMessagesGrammar } from './check-messages-grammar';
import { checkResponsesGrammar } from './check-responses-grammar';
import { parseSse, type SseFrame } from './parse-sse';

const CHECKS: Record<ChatDialect, (frames: readonly SseFrame[], problems: string[]) => void> = {
  'chat-completions': checkChatGrammar,
  responses: checkResponsesGrammar,
  messages: checkMessagesGrammar,
};

/** Reads a whole stream as a strict client would, and lists in words what breaks the dialect's grammar. */
export function checkStreamGrammar(dialect: ChatDialect, sseText: string): string[] {
  const problems: string[] = [];
  CHECKS[dialect](parseSse(sseText, problems), problems);
  return problems;
}
