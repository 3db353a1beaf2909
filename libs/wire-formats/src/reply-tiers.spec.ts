import { NO_USAGE, type ChatReply } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import type { ReplyContext } from './dialect/wire-format';
import { wireFormats } from './wire-formats';

const CONTEXT: ReplyContext = {
  requestId: 'req',
  modelId: 'v/m',
  asked: { model: 'm', turns: [], stream: false },
  body: {},
  nowMs: 0,
};
const PRICED = { usage: NO_USAGE, costUsd: '0' };

function report(dialect: ChatDialect, serviceTier: string): { whole: string; stream: string } {
  const head = { id: 'r', model: 'm', createdAtSeconds: 1, serviceTier };
  const reply: ChatReply = { ...head, choices: [{ index: 0, content: [], finish: { unified: 'stop', upstream: null } }], usage: null };
  const encoder = wireFormats[dialect].createStreamEncoder(CONTEXT);
  return { whole: wireFormats[dialect].encodeReply(reply, PRICED, CONTEXT), stream: encoder.encode({ type: 'start', ...head }) };
}

it.each<[ChatDialect, string, string]>([
  ['chat-completions', 'standard', 'default'],
  ['chat-completions', 'flex', 'flex'],
  ['responses', 'standard', 'default'],
  ['responses', 'priority', 'priority'],
  ['messages', 'default', 'standard'],
  ['messages', 'priority', 'priority'],
])('%s calls the tier "%s" "%s"', (dialect, reported, expected) => {
  const { whole, stream } = report(dialect, reported);

  expect(whole).toContain(`"service_tier":"${expected}"`);
  expect(stream).toContain(`"service_tier":"${expected}"`);
});
