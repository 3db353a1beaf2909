import type { FormFile, ReceivedForm } from '@weir/http-server';
import { readForm } from './read-form';

const file = (field: string, name: string): FormFile => ({
  ...{ field, name, type: 'image/png', size: 3, digest: `digest of ${name}` },
  async *read() {
    yield Buffer.from('png');
  },
});
const form = (fields: readonly (readonly [string, string])[], files: readonly FormFile[] = []): ReceivedForm => ({
  fields: fields.map(([name, value]) => ({ name, value })),
  files,
  discard: jest.fn(() => Promise.resolve()),
});

describe('reading a form', () => {
  it('reads it as the same request would be in JSON, with files by what distinguishes them', () => {
    const { parsed } = readForm(
      form(
        [
          ['model', 'm'],
          ['stream', 'true'],
          ['n', '2'],
          ['size', '1024x1024'],
          ['include[]', 'logprobs'],
          ['known_speaker_names[]', 'a'],
          ['known_speaker_names[]', 'b'],
          ['language', 'de'],
          ['language', 'en'],
        ],
        [file('image[]', 'a.png'), file('image[]', 'b.png'), file('mask', 'm.png')],
      ),
    );
    const reported = (name: string) => ({ name, type: 'image/png', size: 3, digest: `digest of ${name}` });
    expect({ ...parsed.json }).toEqual({
      model: 'm',
      stream: true,
      n: 2,
      size: '1024x1024',
      include: ['logprobs'],
      known_speaker_names: ['a', 'b'],
      language: ['de', 'en'],
      image: [reported('a.png'), reported('b.png')],
      mask: reported('m.png'),
    });
  });

  test.each([
    ['stream', 'maybe', 'maybe'],
    ['stream', 'false', false],
    ['n', '', ''],
    ['n', 'Infinity', 'Infinity'],
    ['prompt', '5', '5'],
    ['__proto__', 'x', 'x'],
  ])('leaves %s=%j to the decoder of the request', (name, value, expected) => {
    const { parsed } = readForm(form([[name, value]]));
    expect(Object.entries(parsed.json)).toEqual([[name, expected]]);
    expect(Object.prototype).not.toHaveProperty('x');
  });

  it("reads the gateway's own field whole or by its members, and takes it out of what goes on", () => {
    const own = form([
      ['weir', '{"trace_id":"t","extra":{"a":"1"}}'],
      ['weir[user_id]', 'u'],
      ['requesty[extra][team]', 'x'],
      ['weir[tags][]', 'one'],
      ['weir[tags][]', 'two'],
      ['prompt', 'p'],
      ['weirdo', 'stays'],
    ]);
    const read = readForm(own);
    expect(read.parsed.json['weir']).toEqual({ trace_id: 't', user_id: 'u', extra: { a: '1', team: 'x' }, tags: ['one', 'two'] });
    expect(read.form.fields.map(({ name }) => name)).toEqual(['prompt', 'weirdo']);
    void read.form.discard();
    expect(own.discard).toHaveBeenCalledTimes(1);
  });

  // The worker would read another value than the one that was paid for.
  test.each(['n', 'size', 'quality', 'partial_images', 'stream', 'model', 'user'])(
    'refuses %s given more than once, or as a list',
    (name) => {
      for (const other of [name, `${name}[]`, `${name}[0]`]) {
        for (const fields of [[other, name], [name, other], ...(other === name ? [] : [[other]])]) {
          expect(() => readForm(form(fields.map((field, at) => [field, String(at + 1)])))).toThrow(
            expect.objectContaining({
              code: 'invalid_request',
              message: `${name} must be given once, and by this name.`,
              details: { field: name },
            }) as Error,
          );
        }
      }
      expect(() =>
        readForm(
          form([
            [name, '1'],
            [`my_${name}`, '2'],
            [`${name}[of]`, '3'],
          ]),
        ),
      ).not.toThrow();
    },
  );

  test.each([
    [['weir[trace_id]', 'weir[trace_id]']],
    [['weir[trace_id]', 'requesty[trace_id]']],
    [['weir[extra][team]', 'weir[extra][team]']],
    [['weir', 'weir[trace_id]']],
    [['weir[trace_id]', 'weir']],
    [['weir', 'weir']],
  ])('refuses a member of the gateway’s own field that comes twice: %j', (names) => {
    const fields = names.map((name) => [name, name === 'weir' ? '{"trace_id":"t"}' : 'x'] as const);
    expect(() => readForm(form(fields))).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('once') as string }) as Error,
    );
  });

  test.each(['weir', 'weir[]', 'weir[a][b][c]', 'weir[__proto__][x]', 'requesty'])('refuses %s that makes no sense', (name) => {
    expect(() => readForm(form([[name, '[1]']]))).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { field: name } }) as Error,
    );
  });
});
