import type { ChatDialect, PassportGuardrail } from '@weir/contracts';
import { BREAKS_OFF, REPORTS_FAILURE } from './__fixtures__/echo-transport';
import { openGuardHarness, readAnswer, encodeQuestion, type Guarded } from './__fixtures__/guard-harness';

const MAIL = 'jane.doe@example.com';
const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'messages', 'responses'];
const NATIVE: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': 'openai',
  messages: 'anthropic',
  responses: 'openai-responses',
};
/** Every dialect in both lanes, as a stream and whole. */
const WAYS = DIALECTS.flatMap((dialect) =>
  [NATIVE[dialect], dialect === 'messages' ? 'openai' : 'anthropic'].flatMap((provider) =>
    [false, true].map((stream) => ({ dialect, provider, stream })),
  ),
);

const BROKE = 'The connection to the provider broke';

let version = 0;
function makeGuardrail(rule: Partial<PassportGuardrail>): PassportGuardrail {
  version += 1;
  return { id: 'g', version, name: 'no mail', detectors: ['email'], action: 'mask', stage: 'both', onError: 'closed', ...rule };
}

describe('guardrails over a chat request', () => {
  let harness: Awaited<ReturnType<typeof openGuardHarness>>;
  /** What the scanner was asked last, and what it returns. */
  let asked: Record<string, unknown>[] = [];
  let answer: () => Promise<{ status: number; text: string }>;
  const says = (reported: object, status = 200): void => {
    answer = () => Promise.resolve({ status, text: JSON.stringify(reported) });
  };

  beforeAll(async () => {
    const post = (question: { body: string; signal?: AbortSignal }): Promise<{ status: number; text: string }> => {
      asked.push(JSON.parse(question.body) as Record<string, unknown>);
      return answer();
    };
    harness = await openGuardHarness({ fetcher: { post }, timeoutMs: 100 });
  });
  beforeEach(() => {
    asked = [];
    says({ verdict: 'passed' });
  });
  afterAll(() => harness.close());

  type Way = { readonly dialect: ChatDialect; readonly provider: string; readonly stream: boolean };
  const ask = ({ dialect, provider, stream }: Way, text: string, ...rules: Partial<PassportGuardrail>[]): Promise<Guarded> =>
    harness.ask({ endpointId: dialect, provider, body: encodeQuestion(dialect, text, stream), guardrails: rules.map(makeGuardrail) });

  it.each(WAYS)('$dialect over $provider, stream $stream: what is masked never leaves, and stands in the answer again', async (way) => {
    const { status, text, headers, events } = await ask(way, `Write ${MAIL}, then ${MAIL}.`, { stage: 'input' });
    expect(status).toBe(200);
    expect(harness.received[0]).toContain('Write [EMAIL_1], then [EMAIL_1].');
    expect(harness.received[0]).not.toContain('jane');
    expect(readAnswer(way.dialect, text)).toBe(`Write ${MAIL}, then ${MAIL}.`);
    expect(headers.get('x-weir-guardrail')).toBe('masked');
    expect(events).toMatchObject([{ guardrail: 'masked', status: 'ok', units: { in: 10, out: 20 } }]);
  });

  it.each(WAYS)('$dialect over $provider, stream $stream: arguments of tools get back what was masked, and stay JSON', async (way) => {
    const reported = JSON.stringify({ to: MAIL, text: 'a\n"b" \\ c' });
    const { text } = await ask(way, reported, { stage: 'input' });
    expect(harness.received[0]).toContain('[EMAIL_1]');
    expect(JSON.parse(readAnswer(way.dialect, text))).toEqual(JSON.parse(reported));
  });

  it.each(WAYS)('$dialect over $provider, stream $stream: the model’s own words are masked for good', async (way) => {
    const { text, events, headers } = await ask(way, `It is ${MAIL} indeed.`, { stage: 'output' });
    expect(harness.received[0]).toContain(MAIL);
    expect(readAnswer(way.dialect, text)).toBe('It is [EMAIL_1] indeed.');
    expect(text).not.toContain('jane');
    expect(headers.get('x-weir-guardrail')).toBe(way.stream ? 'not_scanned' : 'masked');
    expect(events).toMatchObject([{ guardrail: 'masked' }]);
  });

  it.each(WAYS)('$dialect over $provider, stream $stream: a blocked request reaches no one and costs nothing', async (way) => {
    const { status, text, events } = await ask(way, `Write ${MAIL}.`, { action: 'block' });
    expect([status, harness.received]).toEqual([403, []]);
    expect(text).toContain('guardrail \\"no mail\\"');
    expect(text).not.toContain('jane');
    expect(events).toMatchObject([{ guardrail: 'flagged', cost_p: '0', logical: true, error_origin: 'router' }]);
  });

  it.each(WAYS)('$dialect over $provider, stream $stream: a blocked answer is an error, and is paid for', async (way) => {
    const { status, text, events } = await ask(way, `Surely it is ${MAIL} indeed.`, { action: 'block', stage: 'output' });
    expect(status).toBe(way.stream ? 200 : 403);
    expect(text).toContain('guardrail \\"no mail\\"');
    expect(text).not.toContain('jane');
    if (way.stream) expect(readAnswer(way.dialect, text)).toBe('Surely it is');
    expect(events).toMatchObject([{ guardrail: 'flagged', status: 'refused_midstream', error_origin: 'router' }]);
    expect(BigInt(events[0]?.cost_p ?? 0)).toBeGreaterThan(0n);
  });

  describe.each(WAYS.filter(({ stream }) => stream))('$dialect over $provider, cut off by the provider', (way) => {
    const cut = (end: string, action: 'mask' | 'block') => ask(way, `Say it ${BREAKS_OFF}${end}`, { action, stage: 'output' });

    it('sends the clean end of the text, which was buffered, before the error', async () => {
      const { text, events } = await cut('jane.doe', 'block');
      expect(readAnswer(way.dialect, text)).toBe(`Say it ${BREAKS_OFF}jane.doe`);
      expect(text.indexOf(BROKE)).toBeGreaterThan(text.indexOf('.doe'));
      expect(events).toMatchObject([{ guardrail: 'passed', status: 'upstream_cut' }]);
    });

    it('masks what is found in it, and sends nothing of what is refused', async () => {
      const masked = await cut(MAIL, 'mask');
      expect(readAnswer(way.dialect, masked.text)).toBe(`Say it ${BREAKS_OFF}[EMAIL_1]`);
      expect(masked.text).toContain(BROKE);
      expect(masked.events).toMatchObject([{ guardrail: 'masked', status: 'upstream_cut' }]);
      const refused = await cut(MAIL, 'block');
      expect(refused.text).toContain('guardrail \\"no mail\\"');
      expect(refused.text).not.toContain('jane');
      expect(refused.text).not.toContain(BROKE);
      expect(refused.events).toMatchObject([{ guardrail: 'flagged', status: 'refused_midstream' }]);
    });
  });

  it('sends the clean end of the text before a failure that the provider reports, and the failure', async () => {
    const way = { dialect: 'chat-completions', provider: 'openai', stream: true } as const;
    const { text, events } = await ask(way, `Say it ${REPORTS_FAILURE}jane.doe`, { action: 'block', stage: 'output' });
    expect(readAnswer(way.dialect, text)).toBe(`Say it ${REPORTS_FAILURE}jane.doe`);
    expect(text.indexOf('out of memory')).toBeGreaterThan(text.indexOf('.doe'));
    expect(text).not.toContain(BROKE);
    expect(events).toMatchObject([{ guardrail: 'passed', status: 'upstream_error' }]);
  });

  it('flags what passes, and the strictest of several guardrails wins', async () => {
    const way = { dialect: 'chat-completions', provider: 'openai', stream: false } as const;
    const flagged = await ask(way, MAIL, { action: 'flag' });
    expect([flagged.headers.get('x-weir-guardrail'), readAnswer(way.dialect, flagged.text)]).toEqual(['flagged', MAIL]);
    expect((await ask(way, MAIL, { action: 'flag' }, { id: 'h', action: 'mask', stage: 'input' })).events).toMatchObject([
      { guardrail: 'masked' },
    ]);
    expect((await ask(way, MAIL, { action: 'flag' }, { id: 'h', action: 'mask' }, { id: 'i', action: 'block' })).status).toBe(403);
    expect((await ask(way, 'Hello', { action: 'flag' })).events).toMatchObject([{ guardrail: 'passed' }]);
    expect((await ask(way, 'Hello')).events).toMatchObject([{ guardrail: null }]);
  });

  it('leaves a body as it was in which nothing is found', async () => {
    const { text } = await ask({ dialect: 'chat-completions', provider: 'openai', stream: false }, 'Hello', { stage: 'both' });
    expect(readAnswer('chat-completions', text)).toBe('Hello');
    expect(harness.received[0]).toContain('"content":"Hello"');
  });

  it('looks at the inputs of embeddings', async () => {
    const body = { input: [MAIL, 'x'] };
    const { status, events } = await harness.ask({
      endpointId: 'embeddings',
      provider: 'openai',
      body,
      guardrails: [makeGuardrail({ action: 'block' })],
    });
    expect([status, harness.received]).toEqual([403, []]);
    expect(events).toMatchObject([{ guardrail: 'flagged', endpoint: 'embeddings' }]);
  });

  describe('with a scanner', () => {
    const scanner = { detectors: ['card' as const], scannerUrl: 'https://scanner.test/' };

    it('sends the scanner every text of the stage, and passes what the scanner allows', async () => {
      const { events, status } = await ask({ dialect: 'messages', provider: 'anthropic', stream: false }, 'Hello', { ...scanner });
      expect([status, events[0]?.guardrail]).toEqual([200, 'passed']);
      expect(asked).toEqual([
        { stage: 'input', request_id: 'req_guard', guardrail: 'no mail', texts: ['Hello'] },
        { stage: 'output', request_id: 'req_guard', guardrail: 'no mail', texts: ['Hello'] },
      ]);
    });

    it.each(WAYS)('$dialect over $provider, stream $stream: masks what it points out, in the answer too', async (way) => {
      says({ verdict: 'flagged', findings: [{ name: 'code name', text: 0, start: 4, end: 10 }] });
      const { text, events } = await ask(way, 'The Falcon flies, Falcon!', { ...scanner, stage: 'output' });
      expect(readAnswer(way.dialect, text)).toBe('The [CODE_NAME_1] flies, [CODE_NAME_1]!');
      expect(text).not.toContain('Falcon');
      expect(events).toMatchObject([{ guardrail: 'masked', units: { out: 20 } }]);
    });

    it.each(WAYS)('$dialect over $provider, stream $stream: what it blocks does not pass, and is paid for', async (way) => {
      says({ verdict: 'flagged' });
      const { text, events } = await ask(way, 'The Falcon flies.', { ...scanner, action: 'block', stage: 'output' });
      expect(text).toContain('guardrail \\"no mail\\"');
      expect(text).not.toContain('Falcon');
      expect(events).toMatchObject([{ guardrail: 'flagged', status: 'refused_midstream', units: { in: 10, out: 20 } }]);
    });

    it.each([
      ['returns nonsense', () => Promise.resolve({ status: 200, text: '{"verdict":"maybe"}' })],
      ['fails', () => Promise.resolve({ status: 500, text: '{}' })],
      ['cannot be reached', () => Promise.reject(new Error('refused'))],
    ])('that %s is a scan error: closed refuses, open lets pass', async (_, failing) => {
      answer = failing;
      const way = { dialect: 'chat-completions', provider: 'openai', stream: false } as const;
      const closed = await ask(way, 'Hello', { ...scanner });
      expect([closed.status, harness.received, closed.events[0]?.guardrail]).toEqual([503, [], 'scan_error']);
      const open = await ask(way, 'Hello', { ...scanner, onError: 'open' });
      expect([open.status, open.events[0]?.guardrail, open.headers.get('x-weir-guardrail')]).toEqual([200, 'scan_error', 'scan_error']);
      const late = await ask({ ...way, stream: true }, 'Hello', { ...scanner, stage: 'output' });
      expect(late.text).toContain('dependency_down');
      expect(late.text).not.toContain('Hello');
    });
  });
});
