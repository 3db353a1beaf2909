import { markFindings } from './mark-findings';

const found = (detector: string, start: number, end: number) =>
  ({ guardrail: { id: null, name: 'g' }, detector, action: 'flag', start, end }) as const;

it('cuts a text into what was found and what was not, overlaps too', () => {
  const pieces = markFindings('call 123-45 now', [found('phone', 5, 11), found('badge', 5, 8)]);
  expect(pieces.map(({ text, findings }) => [text, findings.map(({ detector }) => detector)])).toEqual([
    ['call ', []],
    ['123', ['phone', 'badge']],
    ['-45', ['phone']],
    [' now', []],
  ]);
  expect(markFindings('', [])).toEqual([]);
  expect(markFindings('none', [])).toEqual([{ text: 'none', findings: [] }]);
});
