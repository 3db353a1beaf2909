import { stringifyExactJson, createOriginalBody, editBody, readMember } from '@weir/canonical';
import { asArray, asRecord, parseExact, parseJson, type JsonRecord } from '../../wire/json-value';

/** Part of the name of every member about a content filter. */
const MARK = '_filter_';
const OF_REPLY: ReadonlySet<string> = new Set(['prompt_filter_results']);
const OF_CHOICE = ['content_filter_results', 'content_filter_result', 'content_filter_offsets'] as const;

/**
 * A reply or chunk without the verdicts of content filters, which the dialect's own vendor does not send and strict
 * clients stumble over. That an answer was filtered still stands in its finish reason.
 */
export function cleanReply(text: string): string {
  if (!text.includes(MARK)) return text;
  const body = createOriginalBody(text);
  const reported = body === undefined ? undefined : parseExact(readMember(body, 'choices') ?? '');
  if (body === undefined) return text;
  const choices = asArray(reported).map((choice) => withoutVerdicts(choice));
  const set = new Map(Array.isArray(reported) ? [['choices', stringifyExactJson(choices)]] : []);
  return editBody(body, { set, remove: OF_REPLY });
}

/** The same for the data of one event; null for one that holds nothing but verdicts. */
export function cleanFrame(data: string): string | null {
  if (!data.includes(MARK)) return data;
  const chunk = asRecord(parseJson(data));
  return chunk !== undefined && holdsVerdictsOnly(chunk) ? null : cleanReply(data);
}

/** The first chunk is about the prompt and has no choices; a filter that runs late sends chunks without a delta. */
function holdsVerdictsOnly({ choices, usage, error }: JsonRecord): boolean {
  const hasNews = (usage !== undefined && usage !== null) || (error !== undefined && error !== null);
  return !hasNews && asArray(choices).every((choice) => isSilent(asRecord(choice) ?? {}));
}

function isSilent({ delta, finish_reason: finish }: JsonRecord): boolean {
  return (finish === undefined || finish === null) && Object.keys(asRecord(delta) ?? {}).length === 0;
}

function withoutVerdicts(choice: unknown): unknown {
  const reported = asRecord(choice);
  if (reported === undefined) return choice;
  const kept = { ...reported };
  for (const name of OF_CHOICE) Reflect.deleteProperty(kept, name);
  return kept;
}
