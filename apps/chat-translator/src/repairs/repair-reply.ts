import { stringifyExactJson } from '@weir/canonical';
import { isFailureReport } from '@weir/providers';
import { FAILED_CHOICE, isFailedChoice, keepNative, lastFinish } from './repair-finish';
import { repairWords } from './repair-message';
import { parseRepaired, isRecord, readHead, type Json, type RepairRules } from './repair-rules';
import { repairCalls } from './repair-tool-calls';

/** Repairs a whole reply. A text that is no reply is returned unchanged. */
export function repairReply(text: string, rules: RepairRules): string {
  const reply = parseRepaired(text);
  if (reply === undefined || isFailureReport(reply) || !Array.isArray(reply['choices'])) return text;
  if (rules.has('finish-reason-words') && reply['choices'].some(isFailedChoice)) return stringifyExactJson({ ...reply, ...FAILED_CHOICE });
  if (rules.has('members-left-out')) Object.assign(reply, readHead(reply, 'chat.completion', rules));
  reply['choices'] = reply['choices'].filter(isRecord).map((choice, position) => repairChoice(choice, position, rules));
  if (reply['usage'] === null) delete reply['usage'];
  if (reply['service_tier'] === '') delete reply['service_tier'];
  return stringifyExactJson(reply);
}

function repairChoice(choice: Json, position: number, rules: RepairRules): Json {
  const message = repairMessage(isRecord(choice['message']) ? choice['message'] : {}, rules);
  const hasTools = Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0;
  const hasFunction = isRecord(message['function_call']);
  const reported = choice['finish_reason'];
  return {
    ...(rules.has('finish-reason-words') ? keepNative(reported) : {}),
    ...choice,
    index: typeof choice['index'] === 'number' ? choice['index'] : position,
    message,
    ...(rules.has('members-left-out') ? { logprobs: choice['logprobs'] ?? null } : {}),
    finish_reason: rules.has('finish-reason-words') ? lastFinish(reported, { hasTools, hasFunction }) : reported,
  };
}

function repairMessage(reported: Json, rules: RepairRules): Json {
  const message: Json = { ...reported };
  repairWords(message, rules);
  if (Array.isArray(message['tool_calls']) && rules.has('tool-call-fragments')) message['tool_calls'] = repairCalls(message['tool_calls']);
  if (!rules.has('members-left-out')) return message;
  return { ...message, role: 'assistant', content: message['content'] ?? null, refusal: message['refusal'] ?? null };
}
