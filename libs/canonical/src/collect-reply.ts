import type { ChatEvent } from './chat-event';
import type { ChatChoice, ChatReply } from './chat-reply';
import type { Citation, ContentBlock } from './content';
import type { FinishReason } from './finish-reason';
import type { Usage } from './usage';

type BlockEvent = Extract<ChatEvent, { block: number }>;
type Writable = { -readonly [Key in keyof ContentBlock]: ContentBlock[Key] } & Record<string, unknown>;

/** Folds a stream's events into one whole reply: for callers that did not ask for a stream, and for tests. */
export function collectReply(events: Iterable<ChatEvent>): ChatReply {
  const blocks = new Map<number, { choice: number; content: Writable }>();
  const finishes = new Map<number, FinishReason>();
  const logprobs = new Map<number, unknown[]>();
  let head: Partial<StartEvent> = {};
  let usage: Usage | null = null;
  for (const event of events) {
    if (event.type === 'start') head = event;
    else if (event.type === 'finish') finishes.set(event.choice, event.finish);
    else if (event.type === 'usage') usage = event.usage;
    else if ('block' in event) foldBlock(blocks, event);
    if (event.type === 'text-delta' && event.logprobs !== undefined) foldLogprobs(logprobs, event);
  }
  const choices = toChoices(blocks, finishes).map((choice) => withLogprobs(choice, logprobs.get(choice.index)));
  return { ...describeHead(head), choices, usage };
}

type StartEvent = Extract<ChatEvent, { type: 'start' }>;

/** Each piece of text comes with its own tokens; the reply lists the tokens of all its text. */
function foldLogprobs(logprobs: Map<number, unknown[]>, { choice, logprobs: reported }: Extract<ChatEvent, { type: 'text-delta' }>): void {
  const content = (reported as { content?: unknown } | null)?.content;
  if (Array.isArray(content)) logprobs.set(choice, [...(logprobs.get(choice) ?? []), ...(content as unknown[])]);
}

function withLogprobs(choice: ChatChoice, content: unknown[] | undefined): ChatChoice {
  return content === undefined ? choice : { ...choice, logprobs: { content } };
}

function describeHead({ id = '', model = '', createdAtSeconds = 0, serviceTier, systemFingerprint }: Partial<StartEvent>) {
  return {
    id,
    model,
    createdAtSeconds,
    ...(serviceTier === undefined ? {} : { serviceTier }),
    ...(systemFingerprint === undefined ? {} : { systemFingerprint }),
  };
}

function toChoices(blocks: Map<number, { choice: number; content: Writable }>, finishes: Map<number, FinishReason>): ChatChoice[] {
  const indexes = new Set([...finishes.keys(), ...[...blocks.values()].map((block) => block.choice)]);
  if (indexes.size === 0) indexes.add(0);
  return [...indexes]
    .sort((a, b) => a - b)
    .map((index) => ({
      index,
      content: [...blocks.entries()]
        .filter(([, block]) => block.choice === index)
        .sort(([a], [b]) => a - b)
        .map(([, block]) => block.content as ContentBlock),
      finish: finishes.get(index) ?? { unified: 'error', upstream: null },
    }));
}

function foldBlock(blocks: Map<number, { choice: number; content: Writable }>, event: BlockEvent): void {
  const started = startBlock(event);
  if (started !== undefined) {
    blocks.set(event.block, { choice: event.choice, content: started as Writable });
    return;
  }
  const block = blocks.get(event.block);
  if (block !== undefined) extendBlock(block.content, event);
}

function startBlock(event: BlockEvent): ContentBlock | undefined {
  switch (event.type) {
    case 'text-start':
      return { type: 'text', text: '' };
    case 'refusal-start':
      return { type: 'refusal', text: '' };
    case 'reasoning-start':
      return { type: 'reasoning', text: '', ...(event.isSummary === undefined ? {} : { isSummary: event.isSummary }) };
    case 'tool-call-start':
      return {
        type: 'tool-call',
        id: event.id,
        name: event.name,
        kind: event.kind,
        argumentsText: '',
        ...(event.state === undefined ? {} : { state: event.state }),
      };
    case 'web-search-start':
      return { type: 'web-search', id: event.id, query: event.query, results: [] };
    case 'image':
      return { type: 'image', source: event.source };
    case 'opaque':
      return event.content;
    default:
      return undefined;
  }
}

function extendBlock(content: Writable, event: BlockEvent): void {
  switch (event.type) {
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
      content['text'] = `${String(content['text'])}${event.text}`;
      return;
    case 'tool-call-delta':
      content['argumentsText'] = `${String(content['argumentsText'])}${event.argumentsText}`;
      return;
    case 'reasoning-state':
      content['state'] = event.state;
      return;
    case 'citation':
      content['citations'] = [...((content['citations'] as Citation[] | undefined) ?? []), event.citation];
      return;
    case 'web-search-end':
      content['query'] = event.query;
      content['results'] = event.results;
      if (event.errorCode !== undefined) content['errorCode'] = event.errorCode;
      return;
    default:
  }
}
