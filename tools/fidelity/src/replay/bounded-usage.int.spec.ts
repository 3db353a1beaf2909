import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import { RequestMost } from '@weir/chat-translator';
import type { ChatDialect } from '@weir/contracts';
import { boundChatUsage } from '@weir/limits';
import { findTarget } from '@weir/providers';
import { describeWithFixtures } from '@weir/testing';
import type { ChatCapture, Family } from '../captured/chat-capture';
import { listChatCaptures } from '../captured/list-chat-captures';
import { isRaw, type Raw } from '../reading/raw-json';
import { readCapture } from '../captured/read-capture';
import { chooseAttempt, createReplayCatalog } from './choose-model';
import type { PlainUsage } from '../reading/plain-reply';

const DIALECTS: Readonly<Record<Family, ChatDialect | null>> = {
  chat: 'chat-completions',
  responses: 'responses',
  messages: 'messages',
  gemini: null,
  bedrock: null,
  cohere: null,
};
/** In the vendors' own requests: what the callers' dialects say with parts and tools that count as open-ended. */
const OPEN_ENDED = /"(fileData|file_data|document|video|audio|inlineData|googleSearch|urlContext|codeExecution|systemTool|cachedContent)"/;
const OUTPUT_LIMIT = /"(?:maxOutputTokens|maxTokens|max_tokens)":(\d+)/;

describeWithFixtures('the usage of captured replies', () => {
  const catalog = createReplayCatalog();
  const { captures } = listChatCaptures();
  const reported = captures.flatMap((chat) => {
    const { usage, searches } = readCapture(chat);
    return usage === null ? [] : [{ chat, usage: toUsage(usage, searches) }];
  });

  it('is within what its request explains, wherever that was recorded', () => {
    const asked = reported.filter(({ chat }) => isRaw(chat.capture.request?.body));
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.flatMap(({ chat, usage }) => describeCut(chat, usage, chat.capture.request?.body as Raw))).toEqual([]);
  });

  it('has no more output than a request without a limit explains', () => {
    expect(reported.length).toBeGreaterThan(300);
    const outputs = reported.map(({ chat, usage }) => ({ chat, usage: { ...NO_USAGE, output: usage.output, reasoning: usage.reasoning } }));
    expect(outputs.flatMap(({ chat, usage }) => describeCut(chat, usage, {}))).toEqual([]);
  });

  function describeCut(chat: ChatCapture, usage: Usage, request: Raw): string[] {
    const attempt = chooseAttempt(chat, chat.provider, catalog);
    const findModel = () => {
      const record = catalog.find(attempt.modelId);
      return record && catalog.facts(record);
    };
    const { target } = findTarget(attempt, { findProvider: () => ({}) as never, findModel });
    const dialect = DIALECTS[chat.family];
    const text = JSON.stringify(request);
    const json = dialect === null ? toDialect(text) : request;
    const forwarded = { body: Buffer.from(text) };
    const upstreamModel = chat.model || target.attempt.upstreamModel;
    const most = new RequestMost({ body: { json }, forwarded, dialect: dialect ?? 'chat-completions' } as never, {
      ...target,
      attempt: { ...attempt, upstreamModel },
    });
    const cut = boundChatUsage(usage, most, chat.capture.body.length);
    if (cut === usage) return [];
    const from = `${promptTokens(usage)}/${usage.output}/${usage.searches}`;
    return [`${chat.name} (${attempt.modelId}): ${from} cut to ${promptTokens(cut)}/${cut.output}/${cut.searches}`];
  }
});

/** What bounds a request in a vendor's own words, in words that the measure knows. */
function toDialect(text: string): Raw {
  const limit = OUTPUT_LIMIT.exec(text)?.[1];
  return {
    ...(limit === undefined ? {} : { max_tokens: Number(limit) }),
    ...(/"(tools|toolConfig)"/.test(text) ? { tools: [{ type: OPEN_ENDED.test(text) ? 'web_search' : 'function' }] } : {}),
    ...(OPEN_ENDED.test(text) ? { conversation: 'kept elsewhere' } : {}),
    ...(/"(responseSchema|responseJsonSchema|response_format|outputConfig)"/.test(text) ? { response_format: {} } : {}),
  };
}

function toUsage(reported: PlainUsage, searches: number | null): Usage {
  const { uncached, read, write5m, write1h, output, reasoning } = reported;
  return {
    ...NO_USAGE,
    inputUncached: uncached,
    cacheRead: read,
    cacheWrite5m: write5m,
    cacheWrite1h: write1h,
    output,
    reasoning,
    searches: searches ?? 0,
  };
}
