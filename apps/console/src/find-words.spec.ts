import { findRows } from './find-words';

const ROW = { texts: ['service 00042', 'ann@example.com', 'team=search'], id: '7c04711e-fee1-4bad-8ace-004711dec0de' };

describe('the words of a search', () => {
  it.each([
    ['', true],
    ['  ', true],
    ['SERVICE 42', true],
    ['search ann@', true],
    ['service 43', false],
    ['7c04711e', true],
    ['7c04711e-fee1-4bad-8ace-004711dec0de', true],
    ['service 7C04711E-FEE1', true],
    ['7c04711f', false],
  ])('%p finds the row: %p', (search, isFound) => {
    expect(findRows([ROW], search, (row) => row)).toEqual(isFound ? [ROW] : []);
  });

  it.each(['service 04711', 'fee', 'bad', 'ace', '7c04', 'fee1-4bad'])('%p is not found in a random id', (search) => {
    expect(findRows([ROW], search, (row) => row)).toEqual([]);
  });
});
