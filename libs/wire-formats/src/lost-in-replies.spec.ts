import { collectReply, NO_USAGE, type ChatEvent, type Citation, type FinishReason } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { checkStreamGrammar } from '@weir/testing';
import type { ReplyContext } from './dialect/wire-format';
import { wireFormats } from './wire-formats';

const TEXT = 'the sky is blue';
const at = { choice: 0, block: 0 };

function eventsOf(citation: Citation, opaque: Record<string, unknown> | undefined = undefined): ChatEvent[] {
  const hosted: ChatEvent[] =
    opaque === undefined ? [] : [{ type: 'opaque', choice: 0, block: 1, content: { type: 'opaque', family: 'elsewhere', raw: opaque } }];
  return [
    { type: 'start', id: 'r', model: 'm', createdAtSeconds: 1 },
    { type: 'text-start', ...at },
    { type: 'text-delta', ...at, text: TEXT },
    { type: 'citation', ...at, citation },
    { type: 'text-end', ...at },
    ...hosted,
    { type: 'finish', choice: 0, finish: { unified: 'stop', upstream: null } },
    { type: 'usage', usage: NO_USAGE },
    { type: 'end' },
  ];
}

/** A reply as a whole and as a stream, and what each reported as lost. */
function report(dialect: ChatDialect, events: readonly ChatEvent[], body: Record<string, unknown> = {}) {
  const priced = { usage: NO_USAGE, costUsd: '0' };
  const open = () => {
    const dropped: string[] = [];
    const context: ReplyContext = {
      requestId: 'req',
      modelId: 'v/m',
      asked: { model: 'm', turns: [], stream: false },
      body,
      nowMs: 0,
      noteDropped: (what) => void dropped.push(what),
    };
    return { dropped, context };
  };
  const whole = open();
  const text = wireFormats[dialect].encodeReply(collectReply(events), priced, whole.context);
  const streamed = open();
  const encoder = wireFormats[dialect].createStreamEncoder(streamed.context);
  const stream = events.map((event) => encoder.encode(event, event.type === 'usage' ? priced : undefined)).join('');
  expect(checkStreamGrammar(dialect, stream)).toEqual([]);
  expect(streamed.dropped).toEqual(whole.dropped);
  return { text, stream, dropped: whole.dropped };
}

const PAGE: Citation = { url: 'https://x.org', title: 'X', start: 4, end: 7 };
const PLACE: Citation = { title: 'a.pdf', citedText: 'blue', document: { index: 2, place: { unit: 'page', start: 5, end: 6 } } };
const FILE: Citation = { title: 'b.pdf', document: { id: 'file-1' }, end: 7 };
const NOWHERE: Citation = { title: 'a tool', citedText: 'blue' };

describe('citations', () => {
  it.each<[ChatDialect, string, Citation, string | undefined]>([
    [
      'chat-completions',
      'a page',
      PAGE,
      '{"type":"url_citation","url_citation":{"url":"https://x.org","title":"X","start_index":4,"end_index":7}}',
    ],
    ['chat-completions', 'a document', PLACE, undefined],
    ['chat-completions', 'nothing that can be named', NOWHERE, undefined],
    ['responses', 'a page', PAGE, '{"type":"url_citation","url":"https://x.org","title":"X","start_index":4,"end_index":7}'],
    ['responses', 'a document', PLACE, '{"type":"file_citation","file_id":"document_2","filename":"a.pdf","index":15}'],
    ['responses', 'a file', FILE, '{"type":"file_citation","file_id":"file-1","filename":"b.pdf","index":7}'],
    ['responses', 'nothing that can be named', NOWHERE, undefined],
    [
      'messages',
      'a page',
      PAGE,
      '{"type":"web_search_result_location","url":"https://x.org","title":"X","encrypted_index":"","cited_text":"sky"}',
    ],
    [
      'messages',
      'a document',
      PLACE,
      '{"type":"page_location","cited_text":"blue","document_index":2,"document_title":"a.pdf","start_page_number":5,"end_page_number":6,"file_id":null}',
    ],
    ['messages', 'a file no one named in the request', FILE, undefined],
    ['messages', 'nothing that can be named', NOWHERE, undefined],
  ])('%s: of %s', (dialect, _what, citation, expected) => {
    const { text, stream, dropped } = report(dialect, eventsOf(citation));

    expect(dropped).toEqual(expected === undefined ? ['reply.citations'] : []);
    if (expected === undefined) return;
    expect(text).toContain(expected);
    expect(stream).toContain(expected);
  });

  it.each([
    ['character', 'char_location', 'start_char_index'],
    ['block', 'content_block_location', 'start_block_index'],
  ] as const)('messages: of %ss', (unit, type, member) => {
    const { text } = report('messages', eventsOf({ document: { index: 0, place: { unit, start: 1, end: 2 } } }));

    expect(JSON.parse(text)).toMatchObject({ content: [{ citations: [{ type, [member]: 1, cited_text: TEXT, document_title: null }] }] });
  });

  it('in the words of the dialect they came from stay as they are', () => {
    const raw = { type: 'container_file_citation', container_id: 'c', file_id: 'f', filename: 'n', start_index: 0, end_index: 1 };
    const { text, dropped } = report('responses', eventsOf({ original: { family: 'responses', raw } }));

    expect(text).toContain(JSON.stringify(raw));
    expect(dropped).toEqual([]);
  });
});

describe.each<ChatDialect>(['chat-completions', 'responses', 'messages'])('%s: what only another dialect knows', (dialect) => {
  it('is reported by its name', () => {
    expect(report(dialect, eventsOf(PAGE, { type: 'code_execution_tool_result' })).dropped).toEqual(['reply.code_execution_tool_result']);
    expect(report(dialect, eventsOf(PAGE, { executableCode: {} })).dropped).toEqual(['reply.content']);
  });
});

describe('pictures', () => {
  const withPicture = (event: ChatEvent): ChatEvent[] =>
    eventsOf(PAGE).flatMap((each): ChatEvent[] => (each.type === 'finish' ? [event, each] : [each]));
  const here = withPicture({ type: 'image', choice: 0, block: 1, source: { kind: 'base64', mediaType: 'image/png', data: 'aGk=' } });
  const away = withPicture({ type: 'image', choice: 0, block: 1, source: { kind: 'url', url: 'https://x.org/a.png' } });
  const hosted = withPicture({
    ...{ type: 'opaque', choice: 0, block: 1 },
    content: {
      type: 'opaque',
      family: 'responses',
      raw: { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=', output_format: 'webp' },
    },
  });

  it.each<[ChatDialect, string, ChatEvent[], string]>([
    ['chat-completions', 'bytes', here, '"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="},"index":0}]'],
    ['chat-completions', 'an address', away, '"images":[{"type":"image_url","image_url":{"url":"https://x.org/a.png"},"index":0}]'],
    [
      'chat-completions',
      'a hosted tool',
      hosted,
      '"images":[{"type":"image_url","image_url":{"url":"data:image/webp;base64,aGk="},"index":0}]',
    ],
    ['responses', 'bytes', here, '"type":"image_generation_call","status":"completed","result":"aGk=","output_format":"png"}'],
    [
      'responses',
      'a hosted tool',
      hosted,
      '"type":"image_generation_call","id":"ig_1","status":"completed","result":"aGk=","output_format":"webp"}',
    ],
  ])('%s: of %s have a word', (dialect, _, events, expected) => {
    const { text, stream, dropped } = report(dialect, events);
    for (const written of [text, stream]) expect(written).toContain(expected);
    expect(dropped).toEqual([]);
  });

  it.each<[ChatDialect, string, ChatEvent[], string]>([
    ['messages', 'bytes', here, 'reply.images'],
    ['messages', 'an address', away, 'reply.images'],
    ['messages', 'a hosted tool', hosted, 'reply.image_generation_call'],
    ['responses', 'an address', away, 'reply.images'],
  ])('%s: of %s have none, and are reported', (dialect, _, events, expected) => {
    expect(report(dialect, events).dropped).toEqual([expected]);
  });
});

describe('verdicts of content filters', () => {
  const verdicts = { content_filter_results: { hate: { filtered: false } }, prompt_filter_results: [{ prompt_index: 0 }] };
  const events = eventsOf(PAGE).flatMap((event): ChatEvent[] =>
    event.type === 'finish'
      ? [
          {
            type: 'opaque',
            choice: 0,
            block: 1,
            content: { type: 'opaque', family: 'chat-completions', raw: { type: 'content_filter_results', ...verdicts } },
          },
          event,
        ]
      : [event],
  );

  it('stand in chat completions where Azure has them', () => {
    const { text, stream, dropped } = report('chat-completions', events);
    const { content_filter_results: ofChoice, prompt_filter_results: ofPrompt } = verdicts;

    expect(JSON.parse(text)).toMatchObject({ choices: [{ content_filter_results: ofChoice }], prompt_filter_results: ofPrompt });
    expect(stream).toContain(`"content_filter_results":${JSON.stringify(ofChoice)}}],"prompt_filter_results":${JSON.stringify(ofPrompt)}}`);
    expect(dropped).toEqual([]);
  });

  it.each<[ChatDialect]>([['responses'], ['messages']])('%s: are reported', (dialect) => {
    expect(report(dialect, events).dropped).toContain('reply.content_filter_results');
  });
});

describe('a reason to stop', () => {
  const ended = (finish: FinishReason): ChatEvent[] => [
    { type: 'start', id: 'r', model: 'm', createdAtSeconds: 1 },
    { type: 'text-start', ...at },
    { type: 'text-delta', ...at, text: TEXT },
    { type: 'text-end', ...at },
    { type: 'finish', choice: 0, finish },
    { type: 'usage', usage: NO_USAGE },
    { type: 'end' },
  ];

  it.each<[ChatDialect, FinishReason, string[]]>([
    ['chat-completions', { unified: 'stop', upstream: 'OTHER', isNearest: true }, ['reply.finish_reason']],
    ['responses', { unified: 'stop', upstream: 'OTHER', isNearest: true }, ['reply.status']],
    ['messages', { unified: 'stop', upstream: 'OTHER', isNearest: true }, ['reply.stop_reason']],
    ['chat-completions', { unified: 'pause', upstream: 'pause_turn' }, ['reply.finish_reason']],
    ['responses', { unified: 'pause', upstream: 'pause_turn' }, ['reply.status']],
    ['messages', { unified: 'pause', upstream: 'pause_turn' }, []],
    ['chat-completions', { unified: 'content-filter', upstream: 'refusal' }, []],
    ['responses', { unified: 'length', upstream: 'max_tokens' }, []],
  ])('%s: %j that the dialect cannot say is reported, and no other', (dialect, finish, expected) => {
    const { text, stream, dropped } = report(dialect, ended(finish));

    expect(dropped).toEqual(expected);
    const shown = dialect === 'chat-completions' && finish.isNearest === true;
    for (const written of [text, stream]) expect(written.includes('"native_finish_reason":"OTHER"')).toBe(shown);
  });
});

it('the older form of calling functions holds one call, and reports the loss of more', () => {
  const call = (block: number): ChatEvent[] => [
    { type: 'tool-call-start', choice: 0, block, id: `c${block}`, name: 'f', kind: 'function' },
    { type: 'tool-call-delta', choice: 0, block, argumentsText: '{}' },
    { type: 'tool-call-end', choice: 0, block },
  ];
  const [start, ...rest] = eventsOf(PAGE);
  const called = [start as ChatEvent, ...call(5), ...call(6), ...rest.slice(-3)];

  expect(report('chat-completions', called, { functions: [] }).dropped).toEqual(['reply.tool_calls']);
  expect(report('chat-completions', called).dropped).toEqual([]);
});
