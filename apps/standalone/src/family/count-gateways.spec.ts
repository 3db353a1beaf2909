import { countGateways } from './count-gateways';

describe('countGateways', () => {
  it.each([
    ['auto', 1, 'linux', null],
    ['auto', 2, 'linux', 1],
    ['auto', 8, 'darwin', 7],
    ['auto', 128, 'linux', 16],
    ['auto', 8, 'win32', null],
    [1, 8, 'linux', null],
    [3, 2, 'linux', 3],
  ] as const)('%p on %p cores of %p is %p', (asked, cores, platform, gateways) => {
    expect(countGateways(asked, cores, platform)).toBe(gateways);
  });
});
