import { collectReply } from '@weir/canonical';
import { createStreamDecoder } from './decode-stream';
import { addPartialArgument, createArguments } from './partial-arguments';

const assemble = (pieces: readonly Record<string, unknown>[]): unknown => {
  const args = createArguments();
  for (const piece of pieces) addPartialArgument(args, piece);
  return JSON.parse(JSON.stringify(args));
};

describe('addPartialArgument', () => {
  it('builds objects and lists by their paths, and joins text of one place', () => {
    expect(
      assemble([
        { jsonPath: '$.recipe.steps[0]', stringValue: 'Stir', willContinue: true },
        { jsonPath: '$.recipe.steps[0]', stringValue: ' well' },
        { jsonPath: '$.recipe.steps[1]', stringValue: 'Bake' },
        { jsonPath: "$.recipe['prep time']", numberValue: 0.5 },
        { jsonPath: '$.isVegan', boolValue: false },
        { jsonPath: '$.note', nullValue: 'NULL_VALUE' },
        { jsonPath: '$.grid[0][1]', numberValue: 7 },
      ]),
    ).toEqual({ recipe: { steps: ['Stir well', 'Bake'], 'prep time': 0.5 }, isVegan: false, note: null, grid: [[7]] });
  });

  it('makes neither huge sparse arrays nor changed prototypes from hostile paths', () => {
    expect(assemble([{ jsonPath: '$.a[4000000000]', numberValue: 1 }])).toEqual({ a: [1] });
    expect(JSON.stringify(assemble([{ jsonPath: '$.__proto__.polluted', boolValue: true }]))).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('a call that arrives in pieces', () => {
  const decode = (parts: readonly object[]) => {
    const decoder = createStreamDecoder({ family: 'google', fallbackModel: 'gemini-3', customTools: new Set() });
    const frames = [
      ...parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] })),
      { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] },
    ];
    const events = frames.flatMap((frame) => decoder.push(Buffer.from(`data: ${JSON.stringify(frame)}\n\n`)));
    return collectReply([...events, ...decoder.end()]).choices[0];
  };
  const piece = (value: string) => ({
    functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: value, willContinue: value !== '' }], willContinue: true },
  });

  it('is one call with its arguments whole, and its signature', () => {
    const choice = decode([
      { functionCall: { name: 'a', willContinue: true }, thoughtSignature: 'sig' },
      piece('Bos'),
      piece('ton'),
      piece(''),
      { functionCall: {} },
      { functionCall: { name: 'b' } },
    ]);

    expect(choice?.content).toMatchObject([
      { name: 'a', argumentsText: '{"city":"Boston"}', state: { value: 'sig' } },
      { name: 'b', argumentsText: '{}' },
    ]);
    expect(choice?.finish.unified).toBe('tool-calls');
  });

  it('ends with the next part or with the answer where nothing says that it ends', () => {
    const open = [{ functionCall: { name: 'a', willContinue: true } }, piece('Rome')];
    const expected = { name: 'a', argumentsText: '{"city":"Rome"}' };

    expect(decode(open)?.content).toMatchObject([expected]);
    expect(decode([...open, { text: 'done' }])?.content).toMatchObject([expected, { type: 'text', text: 'done' }]);
    expect(decode([...open, { functionCall: { name: 'b' } }])?.content).toMatchObject([expected, { name: 'b' }]);
  });
});
