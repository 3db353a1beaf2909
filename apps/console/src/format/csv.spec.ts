import { writeCsv, writeTabbed, type CsvColumn, type CsvValue } from './csv';

const columns: CsvColumn<CsvValue>[] = [
  ['name', (value) => value],
  ['again', () => 'a,b'],
];
const cellOf = (value: CsvValue): string => (writeCsv([['x', () => value]], [null]).split('\r\n')[1] ?? '').replaceAll('\r\n', '');

describe('a list as a file', () => {
  it('has a head, and a line for each row', () => {
    expect(writeCsv(columns, ['x', 7, true, null])).toBe('name,again\r\nx,"a,b"\r\n7,"a,b"\r\ntrue,"a,b"\r\n,"a,b"\r\n');
  });

  it('is parted by tabs for the clipboard', () => {
    expect(writeTabbed(columns, ['a\tb'])).toBe('name\tagain\r\n"a\tb"\ta,b\r\n');
  });

  it.each([
    ['say "hi"', '"say ""hi"""'],
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-2+3', "'-2+3"],
    ['@sum', "'@sum"],
    ['＝1', "'＝1"],
    ['\tx', "'\tx"],
    ['-0.000000000001', '-0.000000000001'],
    ['12.50', '12.50'],
    ['-', "'-"],
    [undefined, ''],
  ])('writes %j as %s', (value, cell) => {
    expect(cellOf(value)).toBe(cell);
  });
});
