import type { ChatDialect } from '@weir/contracts';
import fc from 'fast-check';
import { compile } from '../__fixtures__/rules';
import { createMaskBook, type MaskBook } from '../rules/mask-book';
import type { GuardrailRule } from '../rules/guardrail-rule';
import { createRestoringScreen, createScreen, createSightings, type Sightings } from '../screen/screen';
import { createStreamGuard } from './stream-guard';

const MAIL = 'jane.doe@example.com';
const KEY = 'sk-abcDEF0123456789abcDEF0123';

type Run = { readonly out: string; readonly sightings: Sightings; readonly steps: readonly string[] };

function run(
  dialect: ChatDialect,
  frames: readonly string[],
  { rule = {}, known = [] }: { rule?: Partial<GuardrailRule>; known?: string[] } = {},
): Run {
  const sightings = createSightings();
  const book: MaskBook = createMaskBook([]);
  for (const value of known) book.mask('email', value, true);
  const screen = createScreen({ rules: compile({ detectors: ['email', 'secret'], ...rule }).output, stage: 'output', book, sightings });
  const guard = createStreamGuard({
    dialect,
    screen,
    restoring: createRestoringScreen(book),
    isStopped: () => sightings.stop !== undefined,
  });
  const steps = frames.map((frame) => guard.push(frame));
  steps.push(guard.end());
  return { out: steps.join(''), sightings, steps };
}

const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** A text, cut into pieces, as the stream of each dialect, with something before and after it. */
const STREAMS: Readonly<Record<ChatDialect, (pieces: readonly string[]) => string[]>> = {
  'chat-completions': (pieces) => [
    frame({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
    ...pieces.map((content) => frame({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    frame({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    'data: [DONE]\n\n',
  ],
  messages: (pieces) => [
    frame({ type: 'message_start', message: { id: 'm', content: [], usage: {} } }, 'message_start'),
    frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start'),
    ...pieces.map((text) => frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta')),
    frame({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
    frame({ type: 'message_stop' }, 'message_stop'),
  ],
  responses: (pieces) => {
    const at = { item_id: 'i', output_index: 0, content_index: 0 };
    const text = pieces.join('');
    return [
      frame({ type: 'response.created', response: { id: 'r', instructions: 'Mail [EMAIL_1].', output: [] } }),
      ...pieces.map((delta) => frame({ type: 'response.output_text.delta', ...at, delta })),
      frame({ type: 'response.output_text.done', ...at, text }),
      frame({ type: 'response.completed', response: { id: 'r', output: [{ type: 'message', content: [{ type: 'output_text', text }] }] } }),
    ];
  },
};

/** What a client puts together from the pieces. */
function readDeltas(out: string): string {
  return out
    .split('\n\n')
    .flatMap((each) => each.split('\n').filter((line) => line.startsWith('data: {')))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, never>)
    .map((event) => {
      const choice = (event['choices'] as { delta?: { content?: string } }[] | undefined)?.[0];
      const delta = event['delta'] as { text?: string } | string | undefined;
      return choice?.delta?.content ?? (typeof delta === 'string' ? delta : (delta?.text ?? ''));
    })
    .join('');
}

const DIALECTS = Object.keys(STREAMS) as ChatDialect[];

describe('createStreamGuard', () => {
  it.each(DIALECTS)('masks and restores over any cuts in %s, and no piece of a match leaves', (dialect) => {
    const text = `Hello [EMAIL_1], write to ${MAIL} or use ${KEY} today. [EMAIL_1]!`;
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 40 }), (places) => {
        const at = [...new Set(places)].sort((a, b) => a - b);
        const pieces = [0, ...at].map((from, index) => text.slice(from, at[index]));
        const { out, steps } = run(dialect, STREAMS[dialect](pieces), { known: ['ann@example.org'] });
        expect(readDeltas(out)).toBe('Hello ann@example.org, write to [EMAIL_2] or use [SECRET_1] today. ann@example.org!');
        for (let length = 1; length <= steps.length; length += 1) {
          const reported = readDeltas(steps.slice(0, length).join(''));
          expect(/jane|sk-|\[EMAIL_1/.exec(reported)).toBeNull();
        }
        expect(out).not.toContain('jane');
      }),
      { numRuns: 25 },
    );
  });

  it('masks and restores over any cuts in the text of older completions as well', () => {
    const text = `Hello [EMAIL_1], write to ${MAIL} today.`;
    const report = (piece: string, finish_reason: string | null = null): string =>
      frame({ id: 'c', object: 'text_completion', choices: [{ text: piece, index: 0, logprobs: null, finish_reason }] });
    for (let cut = 0; cut <= text.length; cut += 1) {
      const frames = [report(text.slice(0, cut)), report(text.slice(cut)), report('', 'stop'), 'data: [DONE]\n\n'];
      const { out } = run('chat-completions', frames, { known: ['ann@example.org'] });
      const reported = [...out.matchAll(/"text":"(.*?)"/g)].map(([, piece]) => piece).join('');
      expect(reported).toBe('Hello ann@example.org, write to [EMAIL_2] today.');
    }
  });

  it.each(DIALECTS)('leaves every byte of a stream in %s as it was in which nothing is found', (dialect) => {
    const frames = STREAMS[dialect](['One ', 'two\r\n', ' "three" é ', 'four']);
    const { out, sightings, steps } = run(dialect, frames, { known: [] });
    expect(out).toBe(frames.join(''));
    expect(sightings).toMatchObject({ isScanned: true, isMasked: false, stop: undefined });
    expect(steps[0]).toBe(frames[0]);
  });

  it('repeats the masked text in the events that contain it again, and restores what repeats the request', () => {
    const { out } = run('responses', STREAMS.responses(['I am ', MAIL]), { known: ['ann@example.org'] });
    expect(out).toContain('"instructions":"Mail ann@example.org."');
    expect(out.match(/I am \[EMAIL_2\]/g)).toHaveLength(2);
  });

  it('keeps the arguments of tools JSON, whatever is put into them and however they are cut', () => {
    const secret = '-----BEGIN PRIVATE KEY-----\nab"c\\d\n-----END PRIVATE KEY-----';
    const reported = '{"to":"[EMAIL_1]","body":"line\\nfrom \\u006aane.doe@example.com","n":4111111111111111}';
    fc.assert(
      fc.property(fc.array(fc.nat(reported.length), { maxLength: 30 }), (places) => {
        const at = [...new Set(places)].sort((a, b) => a - b);
        const frames = [0, ...at].map((from, index) =>
          frame({
            choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: reported.slice(from, at[index]) } }] } }],
          }),
        );
        const end = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
        const { out } = run('chat-completions', [...frames, end], { rule: { detectors: ['email', 'card'] }, known: [secret] });
        const parts = out.split('\n\n').filter((each) => each.startsWith('data: {'));
        const args = parts
          .map(
            (each) =>
              (JSON.parse(each.slice(6)) as { choices: { delta: { tool_calls?: { function: { arguments: string } }[] } }[] }).choices[0],
          )
          .map((choice) => choice?.delta.tool_calls?.[0]?.function.arguments ?? '')
          .join('');
        expect(JSON.parse(args)).toEqual({ to: secret, body: 'line\nfrom [EMAIL_2]', n: '[CARD_1]' });
      }),
      { numRuns: 25 },
    );
  });

  it('reports what stops a stream, after everything before it and before anything of it', () => {
    const { steps, sightings } = run(
      'chat-completions',
      STREAMS['chat-completions'](['Sure. ', 'It is jane', '.doe@exam', 'ple.com', ' ok']),
      {
        rule: { action: 'block', name: 'no mail' },
      },
    );
    expect(sightings.stop).toMatchObject({ detector: 'email', rule: { name: 'no mail' } });
    expect(readDeltas(steps.join(''))).toBe('Sure. ');
  });

  it('drops the tokens beside a text that was masked', () => {
    const logprobs = { content: [{ token: MAIL, logprob: -0.1 }] };
    const { out } = run('chat-completions', [frame({ choices: [{ index: 0, delta: { content: `${MAIL} ` }, logprobs }] })]);
    expect(out).toContain('"logprobs":null');
    expect(out).not.toContain('jane');
  });
});
