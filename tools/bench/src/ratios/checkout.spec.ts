import { parseStartFlags } from './checkout';
import { parseRatioOptions } from './options';

describe('parseStartFlags', () => {
  it('takes what stands before the program', () => {
    expect(parseStartFlags('node --max-semi-space-size=64 --no-opt apps/standalone/dist/main.js')).toEqual([
      '--max-semi-space-size=64',
      '--no-opt',
    ]);
    expect(parseStartFlags('node apps/standalone/dist/main.js')).toEqual([]);
  });

  it('refuses what it cannot run in the same way', () => {
    expect(() => parseStartFlags('cross-env A=b node main.js')).toThrow('npm start');
  });
});

describe('parseRatioOptions', () => {
  it('refuses a row that there is not', () => {
    expect(() => parseRatioOptions(['--only', 'hole'])).toThrow('hole');
    expect(parseRatioOptions(['--only', 'whole', '--rounds', '5'])).toMatchObject({ only: ['whole'], rounds: 5, before: undefined });
  });
});
