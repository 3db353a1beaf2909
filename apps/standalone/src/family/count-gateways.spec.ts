import { countGateways, readCoreQuota } from './count-gateways';

const GIB = 1024 ** 3;

describe('countGateways', () => {
  it.each([
    ['auto', 1, 'linux', 64, null],
    ['auto', 2, 'linux', 64, null],
    ['auto', 3, 'linux', 64, 2],
    ['auto', 8, 'darwin', 64, 7],
    ['auto', 128, 'linux', 64, 16],
    ['auto', 8, 'win32', 64, null],
    ['auto', 8, 'linux', 2, 2],
    ['auto', 8, 'linux', 1.25, null],
    ['auto', 8, 'linux', 1, null],
    ['auto', 8, 'linux', 0.5, null],
    [1, 8, 'linux', 64, null],
    [3, 2, 'linux', 0.5, 3],
  ] as const)('%p on %p cores of %p with %p GiB is %p', (asked, cores, platform, gib, gateways) => {
    expect(countGateways(asked, { cores, platform, memoryBytes: gib * GIB })).toBe(gateways);
  });
});

describe('readCoreQuota', () => {
  it.each([
    ['max 100000\n', Infinity],
    ['', Infinity],
    ['250000 100000\n', 2],
    ['50000 100000\n', 1],
  ])('reads %j as %p cores', (text, cores) => {
    expect(readCoreQuota(text)).toBe(cores);
  });
});
