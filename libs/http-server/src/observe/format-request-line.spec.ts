import { createLogger, findLineWriter } from '@weir/telemetry';
import fc from 'fast-check';
import { createRequestNotes } from '../requests/request-notes';
import { formatRequestLine, type RequestEnding } from './format-request-line';

const lines: string[] = [];
const log = createLogger({ service: 'a "test"', level: 'info', destination: { write: (line: string) => void lines.push(line) } });

const ENDING: RequestEnding = {
  requestId: '01a20775-257e-7b8e-ac95-f26b5276c44f',
  method: 'POST',
  path: '/v1/chat/completions',
  status: 200,
  complete: true,
  durationMs: 4.9,
};

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('openai/gpt-4o-mini', 'grün ✓ 日本', 'x'.repeat(200), '') },

  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('line\nbreak', '"', '\\', '\u2028', '\ud800', 'x'.repeat(200)),
);
const arbitraryNotes = fc.record({
  organizationId: maybe(fc.uuid()),
  apiKeyId: maybe(fc.uuid()),
  apiKeyName: maybe(text),
  model: maybe(text),
  isReplayed: maybe(fc.boolean()),
  provider: maybe(text),
  attempts: maybe(fc.oneof({ weight: 9, arbitrary: fc.nat() }, fc.nat().map(String))),
  inputTokens: maybe(fc.nat()),
  outputTokens: maybe(fc.nat()),
  costUsd: maybe(fc.constantFrom('0.000072', '12')),
  error: fc.constantFrom(undefined, undefined, undefined, 'overloaded'),
});

/** What is written, without its time, which is another one for each. */
function take(write: () => void): string {
  lines.length = 0;
  write();
  expect(lines).toHaveLength(1);
  return (lines[0] ?? '').replace(/"time":\d{13}/, '"time":0');
}

describe('the line of an ordinary request', () => {
  it('is what the logger writes, byte for byte, or is left to it', () => {
    let formatted = 0;
    fc.assert(
      fc.property(arbitraryNotes, fc.boolean(), fc.double({ noNaN: true, min: 0, max: 1e6 }), (given, complete, durationMs) => {
        const notes = Object.assign(createRequestNotes(), given);
        const ending = { ...ENDING, complete, durationMs: Math.round(durationMs * 10) / 10 };
        const line = formatRequestLine(ending, notes);
        if (line === undefined) return;
        formatted += 1;
        expect(take(() => findLineWriter(log)?.write(line))).toBe(take(() => log.info({ ...ending, ...notes }, 'request')));
      }),
      { numRuns: 500 },
    );
    expect(formatted).toBeGreaterThan(100);
  });

  it('names its span where it has one, as the logger would', () => {
    const ending = { ...ENDING, trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
    const line = formatRequestLine(ending, createRequestNotes()) ?? '';
    expect(line).toContain('"durationMs":4.9,"trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"b7ad6b7169203331","msg"');
    expect(take(() => findLineWriter(log)?.write(line))).toBe(take(() => log.info({ ...ending, ...createRequestNotes() }, 'request')));
  });

  it('has its members in the order of the notes, whenever they were taken', () => {
    const notes = createRequestNotes();
    notes.costUsd = '0.1';
    notes.model = 'a/b';
    notes.apiKeyName = 'team';
    expect(formatRequestLine(ENDING, notes)).toBe(
      `,"requestId":"${ENDING.requestId}","method":"POST","path":"/v1/chat/completions","status":200,"complete":true,"durationMs":4.9` +
        ',"apiKeyName":"team","model":"a/b","costUsd":"0.1","msg":"request"',
    );
  });

  it.each([{ error: 'internal' }, { cause: null }, { passport: 'late' }, { refusalsNotLogged: 2 }, { model: 'a"b' }, { attempts: '"' }])(
    'is left to the logger with %o',
    (unusual) => {
      expect(formatRequestLine(ENDING, Object.assign(createRequestNotes(), unusual))).toBeUndefined();
    },
  );

  it('is not written below the level of the log', () => {
    const quiet: string[] = [];
    const warnings = createLogger({ service: 's', level: 'warn', destination: { write: (line: string) => void quiet.push(line) } });
    findLineWriter(warnings)?.write(',"msg":"request"');
    expect(quiet).toEqual([]);
  });
});
