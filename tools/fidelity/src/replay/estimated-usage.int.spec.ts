import { estimatePromptTokens as estimateTexts, estimateReplyTokens, findTokenFamily } from '@weir/providers';
import { describeWithFixtures } from '@weir/testing';
import type { ChatCapture } from '../captured/chat-capture';
import { listChatCaptures } from '../captured/list-chat-captures';
import { isRaw, type Raw } from '../reading/raw-json';
import { readCapture } from '../captured/read-capture';
import type { PlainReply } from '../reading/plain-reply';

/** Mock replies of SDKs, edited by hand: their counts are not those of their texts. */
const EDITED =
  /^(FirebaseExtended|agentgateway|anthropics\+|openai\+)|duplicate-message|json-other-tool|lmstudio|parallel-tool-call-wrapper/;
/** Output that is billed and not in the reply: tools of the provider, redacted thoughts, summaries, sound. */
const UNSEEN =
  /server_tool_use|tool_search|tool-search|web_search|web_fetch|code_execution|code_interpreter|mcp_|mcp-|_search_call|file_search|executableCode|groundingMetadata|shell|computer|apply_patch|redacted|citation|compaction|iterations|programmatic|image_generation|"audio"|response_format|output_format|json_schema|_output_|input_audio|compound/i;
/** What a prompt holds besides texts and tools. */
const UNREAD = /"(image|image_url|input_image|document|file|video|inlineData|fileData|previous_response_id|input_file|text_format|format)"/;
/** Members of a prompt whose values no model reads. */
const NAMES = new Set(['role', 'type', 'id', 'status', 'cache_control', 'signature']);
/** Prompts that their provider adds words to. */
const ADDED_TO = /preset|guardrail|deepseek_responses/;
const FINISHED = new Set(['stop', 'tools']);
const SMALL = 20;
const MEAN_ERROR_MAX = 0.1;

type Measured = { readonly name: string; readonly family: string; readonly reported: number; readonly estimated: number };

describeWithFixtures('estimates of tokens beside the usage of captured replies', () => {
  const { captures } = listChatCaptures();
  const replies = captures.flatMap((chat) => measureReply(chat, readCapture(chat)));
  const prompts = captures.flatMap((chat) => measurePrompt(chat, readCapture(chat)));
  const families = groupByFamily(replies);

  afterAll(() => void process.stdout.write(`\n${renderTable('replies', families)}\n${renderTable('prompts', groupByFamily(prompts))}\n`));

  it('has replies of many families to compare with', () => {
    expect(families.size).toBeGreaterThan(9);
    expect(replies.length).toBeGreaterThan(100);
  });

  it.each([...families.keys()].sort())('is within a tenth of what providers reported, on average: %s', (family) => {
    expect(meanError(families.get(family) ?? [])).toBeLessThan(MEAN_ERROR_MAX);
  });

  it('is within a tenth of all prompts of plain text together', () => {
    expect(prompts.length).toBeGreaterThan(30);
    expect(meanError(prompts)).toBeLessThan(MEAN_ERROR_MAX);
  });
});

function measureReply(chat: ChatCapture, reply: PlainReply): Measured[] {
  const { usage, text, reasoning, calls } = reply;
  if (usage === null || chat.model === '' || !isAllSeen(chat, reply)) return [];
  const shownThoughts = usage.reasoning > 0 ? '' : reasoning;
  const said = text + shownThoughts + calls.map((call) => call.name + call.argumentsText).join('');
  const reported = usage.output - usage.reasoning;
  if (said === '' || reported === 0) return [];
  return [toMeasured(chat, reported, estimateReplyTokens({ text: said, calls: calls.length }, chat.model))];
}

/** Whether all that a reply was billed for stands in it. */
function isAllSeen(chat: ChatCapture, { usage, ending, stop, reasoning }: PlainReply): boolean {
  const everything = chat.capture.body.toString('utf8') + JSON.stringify(chat.capture.request?.body ?? {}) + chat.name;
  if (ending !== 'whole' || !FINISHED.has(stop ?? '')) return false;
  if (EDITED.test(chat.name) || UNSEEN.test(everything)) return false;
  // Cohere does not bill thoughts.
  const areThoughtsBilled = chat.family !== 'cohere' || reasoning === '';
  return areThoughtsBilled && !hidesThoughts(chat, { everything, counted: usage?.reasoning ?? 0 });
}

/** Thoughts are hidden, or shown as a summary, where their tokens are not counted apart. */
function hidesThoughts({ model }: ChatCapture, { everything, counted }: { everything: string; counted: number }): boolean {
  return counted === 0 && /claude/.test(model) && /thinking/.test(everything);
}

function measurePrompt(chat: ChatCapture, { usage, ending }: PlainReply): Measured[] {
  const request = chat.capture.request?.body;
  if (usage === null || !isRaw(request) || ending !== 'whole' || !isPlain(chat, request)) return [];
  const turns = request['messages'] ?? request['input'] ?? request['contents'];
  const system = request['system'] ?? request['instructions'] ?? request['systemInstruction'];
  const texts = [...collectTexts(turns), ...collectTexts(system)];
  if (texts.length === 0) return [];
  const count = [turns, ...(system === undefined ? [] : [system])].flat().length;
  const reported = usage.uncached + usage.read + usage.write5m + usage.write1h;
  return [toMeasured(chat, reported, estimateTexts({ text: texts.join('\n'), turns: count, tools: '' }, chat.model))];
}

/** Whether a prompt is nothing but texts. */
function isPlain({ name, model }: ChatCapture, request: Raw): boolean {
  const asked = JSON.stringify(request);
  if (model === '' || EDITED.test(name) || ADDED_TO.test(name)) return false;
  return !UNREAD.test(asked) && !UNSEEN.test(asked + name) && !/"tools"|toolConfig|reasoning|thinking/i.test(asked);
}

function toMeasured({ name, model }: ChatCapture, reported: number, estimated: number): Measured {
  return { name, family: findTokenFamily(model).name, reported, estimated };
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  if (!isRaw(value)) return [];
  return Object.entries(value as Raw).flatMap(([name, inner]) => (NAMES.has(name) ? [] : collectTexts(inner)));
}

function groupByFamily(measured: readonly Measured[]): Map<string, Measured[]> {
  const groups = new Map<string, Measured[]>();
  for (const each of measured) groups.set(each.family, [...(groups.get(each.family) ?? []), each]);
  return groups;
}

/** Of a reply of a few tokens one token is a large part: there the error is counted as part of twenty. */
function meanError(measured: readonly Measured[]): number {
  const errors = measured.map(({ reported, estimated }) => Math.abs(estimated - reported) / Math.max(SMALL, reported));
  return errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length);
}

function renderTable(title: string, groups: ReadonlyMap<string, readonly Measured[]>): string {
  const rows = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([family, measured]) => {
      const worst = [...measured].sort((a, b) => errorOf(b) - errorOf(a))[0];
      const worstText = worst === undefined ? '' : `${worst.estimated} for ${worst.reported} (${worst.name})`;
      return `| ${family} | ${measured.length} | ${(meanError(measured) * 100).toFixed(1)} % | ${worstText} |`;
    });
  return [`| ${title} | captures | mean error | worst |`, '|---|---|---|---|', ...rows].join('\n');
}

function errorOf({ reported, estimated }: Measured): number {
  return Math.abs(estimated - reported) / Math.max(SMALL, reported);
}
