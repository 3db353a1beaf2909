import type { ChatDialect } from '@weir/contracts';
import type { PlainReply } from '../reading/plain-reply';

/** A request in one dialect which declares the tools that the reply will call, and is as long as the usage of the reply says. */
export function askInDialect(dialect: ChatDialect, expected: PlainReply, model: string, isStream: boolean) {
  const tools = listTools(dialect, expected);
  const common = { model, ...(isStream ? { stream: true } : {}), ...(tools.length === 0 ? {} : { tools }) };
  const text = `hi${' there'.repeat(Math.ceil(countPrompt(expected) / ' there'.length))}`;
  const messages = [{ role: 'user', content: text }];
  switch (dialect) {
    case 'chat-completions':
      return { ...common, messages, ...(isStream ? { stream_options: { include_usage: true } } : {}) };
    case 'responses':
      return { ...common, input: text };
    case 'messages':
      return { ...common, messages, max_tokens: Math.max(512, expected.usage?.output ?? 0) };
  }
}

function countPrompt({ usage }: PlainReply): number {
  return usage === null ? 0 : usage.uncached + usage.read + usage.write5m + usage.write1h;
}

function listTools(dialect: ChatDialect, { calls }: PlainReply): unknown[] {
  const once = [...new Map(calls.map((call) => [call.name, call])).values()];
  const parameters = { type: 'object', properties: {} };
  return once.flatMap(({ name, kind }): unknown[] => {
    if (dialect === 'messages') return kind === 'custom' ? [] : [{ name, input_schema: parameters }];
    if (dialect === 'responses')
      return [kind === 'custom' ? { type: 'custom', name } : { type: 'function', name, parameters, strict: false }];
    return [kind === 'custom' ? { type: 'custom', custom: { name } } : { type: 'function', function: { name, parameters } }];
  });
}
