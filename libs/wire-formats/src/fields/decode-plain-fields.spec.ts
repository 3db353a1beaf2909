import { PLAIN_FIELDS, type PlainField } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { wireFormats } from '../wire-formats';
import { nameField } from './name-field';

type Body = Readonly<Record<string, unknown>>;

const BASES: Readonly<Record<ChatDialect, Body>> = {
  'chat-completions': { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'm', input: 'hi' },
  messages: { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
};

const CASES = (Object.entries(PLAIN_FIELDS) as [string, PlainField][]).flatMap(([id, field]) =>
  (Object.entries(field.paths) as [ChatDialect, readonly string[]][]).flatMap(([dialect, paths]) =>
    paths.map((path) => ({ id, field, dialect, path })),
  ),
);

/** The body of a request with one more value, at the path of a field. */
function bodyWith(dialect: ChatDialect, path: string, value: unknown): Body {
  const [holder = '', member] = path.split('.');
  return { ...BASES[dialect], [holder]: member === undefined ? value : { [member]: value } };
}

function sampleOf({ value }: PlainField): number | string {
  return value.type === 'string' ? 'sample' : (value.max ?? 7);
}

function refusalOf(dialect: ChatDialect, body: Body): GatewayError | undefined {
  try {
    wireFormats[dialect].decodeRequest(body);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

describe.each(CASES)('$path of $dialect', ({ id, field, dialect, path }) => {
  const sample = sampleOf(field);

  it('is read into its member and not reported as unknown', () => {
    const request = wireFormats[dialect].decodeRequest(bodyWith(dialect, path, sample));

    expect(request).toMatchObject({ [id]: sample });
    expect(request.unmapped).toBeUndefined();
  });

  it('is refused by its path when its value is of another type or out of its range', () => {
    const { value } = field;
    const wrong: unknown[] = [{}, true, value.type === 'string' ? 7 : 'sample'];
    if (value.type === 'number' && value.max !== undefined) wrong.push(value.max + 1);
    if (value.type === 'number' && value.min !== undefined) wrong.push(value.min - 1);

    expect(wrong.map((one) => refusalOf(dialect, bodyWith(dialect, path, one))?.details.field)).toEqual(wrong.map(() => path));
  });

  it('is what a loss of the field is called in a body that has it', () => {
    expect(nameField(dialect, field.name, bodyWith(dialect, path, sample))).toBe(path);
  });
});
