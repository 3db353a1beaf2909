import { findLabelError, isSameLabels, readLabelRows, toLabelRows } from './labels';

describe('label rows', () => {
  it('become labels and rows again', () => {
    const labels = { team: 'research', 'cost-center': '42' };

    expect(readLabelRows([...toLabelRows(labels), { name: ' ', value: '' }])).toEqual(labels);
  });

  it.each([
    [[{ name: '', value: 'x' }], 'needs a name'],
    [
      [
        { name: 'a', value: '1' },
        { name: 'a ', value: '2' },
      ],
      'same name',
    ],
  ])('say what is wrong: %#', (rows, message) => {
    expect(findLabelError(rows)).toContain(message);
  });

  it('may be none', () => {
    expect(findLabelError([{ name: '', value: '' }])).toBeUndefined();
  });

  it('are compared by content', () => {
    expect(isSameLabels({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true);
    expect(isSameLabels({ a: '1' }, { a: '2' })).toBe(false);
    expect(isSameLabels({ a: '1' }, {})).toBe(false);
  });
});
