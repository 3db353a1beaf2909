import type { ChatDialect } from '@weir/contracts';
import type { HistoryRule } from '@weir/providers';
import { hasStateTag } from '@weir/wire-formats';
import type { CallerBody, CleanedBody } from './caller-body';
import { cleanInput } from './clean-input';
import { cleanMessages } from './clean-messages';

/**
 * Takes out of a conversation what the dialect's own provider would refuse: state that other providers gave, and, where the
 * provider demands state of its own, blocks without any. Every other byte stays the caller's. Undefined when that cannot be
 * done block by block: then the request has to be translated.
 */
export function cleanHistory(dialect: ChatDialect, caller: CallerBody, rule: HistoryRule | undefined): CleanedBody | undefined {
  const cleaned = rule === undefined ? undefined : clean(dialect, caller, rule);
  const kept = cleaned ?? { body: caller.body, dropped: [], approximated: [] };
  return hasStateTag(kept.body.bytes ?? kept.body.text) ? undefined : kept;
}

function clean(dialect: ChatDialect, caller: CallerBody, rule: HistoryRule): CleanedBody | undefined {
  if (dialect === 'messages') return cleanMessages(caller, rule);
  return dialect === 'responses' ? cleanInput(caller, rule) : undefined;
}
