import type { Model } from '../models/filter-models';
import { listMessages, type Message, type Round } from './conversation';
import { PARAMETER_NAMES, type Draft } from './draft';
import { asRecord, type JsonRecord } from './json';
import { PARAMETERS, readMore, readSchema, readTools, supportsFormat, supportsParameter, supportsTools } from './parameters';

type Asked = {
  readonly model: string;
  /** As the catalogue has it; undefined where it has none. */
  readonly known: Model | undefined;
  readonly draft: Draft;
  readonly rounds: readonly Round[];
};

/** The body of the next request to a model. The draft has no errors (`findDraftErrors`); its prompt is in the rounds by now. */
export function buildChatBody({ model, known, draft, rounds }: Asked): JsonRecord {
  const system: Message[] = draft.system.trim() === '' ? [] : [{ role: 'system', content: draft.system }];
  return {
    model,
    messages: [...system, ...listMessages(rounds)],
    stream: true,
    stream_options: { include_usage: true },
    ...listParameters(draft, known),
    ...listTools(draft, known),
    ...listFormat(draft, known),
    ...asRecord(valueOf(readMore(draft.more))),
  };
}

/** The turn of the user that a draft holds; undefined where nothing was written. */
export function writePrompt({ prompt, attachments }: Pick<Draft, 'prompt' | 'attachments'>): Message | undefined {
  if (attachments.length === 0) return prompt.trim() === '' ? undefined : { role: 'user', content: prompt };
  const text = prompt.trim() === '' ? [] : [{ type: 'text', text: prompt }];
  return { role: 'user', content: [...attachments.map(({ part }) => part), ...text] };
}

/** What is set and a model does not have, by the names that people read. */
export function listUnsupported(draft: Draft, known: Model | undefined): string[] {
  const names = PARAMETER_NAMES.filter((name) => isSet(draft.parameters[name]) && !supportsParameter(known, name));
  return [
    ...names.map((name) => PARAMETERS[name].label),
    ...(draft.tools.trim() !== '' && !supportsTools(known) ? ['Tools'] : []),
    ...(supportsFormat(known, draft.format) ? [] : ['Response format']),
  ];
}

function listParameters({ parameters }: Draft, known: Model | undefined): JsonRecord {
  const set = PARAMETER_NAMES.filter((name) => isSet(parameters[name]) && supportsParameter(known, name));
  return Object.fromEntries(
    set.flatMap((name) => {
      const value = valueOf(PARAMETERS[name].read(parameters[name] ?? ''));
      return value === undefined ? [] : [[PARAMETERS[name].member, value]];
    }),
  );
}

function listTools({ tools, toolChoice }: Draft, known: Model | undefined): JsonRecord {
  const read = valueOf(readTools(tools));
  if (read === undefined || !supportsTools(known)) return {};
  return { tools: read, ...(toolChoice === 'auto' ? {} : { tool_choice: toolChoice }) };
}

function listFormat(draft: Draft, known: Model | undefined): JsonRecord {
  const { format } = draft;
  if (format === 'text' || !supportsFormat(known, format)) return {};
  if (format === 'json_object') return { response_format: { type: format } };
  const schema = valueOf(readSchema(draft));
  return schema === undefined ? {} : { response_format: { type: format, json_schema: schema } };
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

function valueOf(read: { readonly value: unknown } | { readonly error: string }): unknown {
  return 'value' in read ? read.value : undefined;
}
