import { BodyInPieces, joinBody } from './body-in-pieces';
import { createOriginalBody, editBody, editOriginal, type OriginalBody } from './original-body';

const LONG = 'ü'.repeat(100_000);

/** A body as it comes from a caller: bytes, and places in them. */
function fromBytes(text: string): OriginalBody {
  const bytes = Buffer.from(text);
  const inLatin = createOriginalBody(bytes.toString('latin1'));
  if (inLatin === undefined) throw new Error('no object');
  return { ...inLatin, text, bytes };
}

const EDITS = [
  { name: 'the model alone', set: { model: '"b"' }, remove: [] },
  { name: 'a member that is not there', set: { model: '"b"', stream: 'true' }, remove: [] },
  { name: 'the last member', set: { n: '2' }, remove: [] },
  { name: 'nothing', set: {}, remove: [] },
  { name: 'members that go', set: { model: '"b"' }, remove: ['weir', 'n'] },
];
const BODIES = [
  { name: 'close', text: `{"model":"a/b","messages":[{"content":"${LONG}"}],"weir":{},"n":1}` },
  { name: 'spaced', text: `{ "model" : "a/b" ,\n "messages":[{"content":"${LONG}"}], "weir": {}, "n": 1 \n}\n` },
];

describe('a large body that was edited', () => {
  it.each(BODIES.flatMap((body) => EDITS.map((edit) => ({ body, edit }))))('$body.name, $edit.name', ({ body, edit }) => {
    const original = fromBytes(body.text);
    const asked = { set: new Map(Object.entries(edit.set)), remove: new Set(edit.remove) };

    const edited = editOriginal(original, asked);

    expect(edited).toBeInstanceOf(BodyInPieces);
    const text = editBody(original, asked);
    expect(edited.toString()).toBe(text);
    expect(edited.length).toBe(Buffer.byteLength(text));
    expect(Buffer.concat([...(edited as BodyInPieces)]).toString()).toBe(text);
    expect(joinBody(edited).toString()).toBe(text);
  });

  it('is one stretch of the caller’s bytes behind the model’s name', () => {
    const original = fromBytes(`{"model":"a/b","messages":[{"content":"${LONG}"}]}`);

    const edited = editOriginal(original, { set: new Map([['model', '"b"']]), remove: new Set() }) as BodyInPieces;

    const [head, rest, ...more] = [...edited];
    expect(head?.toString()).toBe('{"model":"b",');
    expect(rest?.buffer).toBe(original.bytes?.buffer);
    expect(more).toEqual([]);
  });
});
