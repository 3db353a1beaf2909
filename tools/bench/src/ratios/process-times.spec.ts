import { listSockets, parseSchedstat, usedMicroseconds } from './process-times';

describe('usedMicroseconds', () => {
  const from = new Map([
    [1, 1_000_000],
    [2, 5_000_000],
  ]);
  const to = new Map([
    [1, 3_000_000],
    [2, 5_500_000],
    [3, 250_000],
  ]);

  it('adds up what each process used, those that were started meanwhile too', () => {
    expect(usedMicroseconds(from, to)).toBe(2_750);
  });

  it('leaves out those that were not asked for', () => {
    expect(usedMicroseconds(from, to, new Set([1]))).toBe(2_000);
  });
});

describe('parseSchedstat', () => {
  it('is the time on a core, not the time of waiting for one', () => {
    expect(parseSchedstat('61234567 987654 321\n')).toBe(61_234_567);
  });
});

describe('listSockets', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:0FA0 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0000000000000000 100 0 0 10 0',
    '   1: 0100007F:0FA0 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 222 1 0000000000000000 20 4 30 10 -1',
    '   2: 0100007F:C350 0100007F:0FA0 01 00000000:00000000 00:00000000 00000000     0        0 333 1 0000000000000000 20 4 30 10 -1',
  ].join('\n');

  it('finds connections that were accepted at a port: not its listener, not who connected', () => {
    expect(listSockets(table, 4000)).toEqual(['222']);
    expect(listSockets(table, 4001)).toEqual([]);
  });
});
