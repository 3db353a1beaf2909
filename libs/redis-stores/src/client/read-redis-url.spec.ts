import { readRedisUrl } from './read-redis-url';

describe('where Redis is', () => {
  test('is one server by the addresses that there always were', () => {
    for (const url of ['redis://redis:6379', 'rediss://user:pass@redis.example/0'])
      expect(readRedisUrl(url)).toEqual({ kind: 'single', url });
  });

  test('is a cluster by some of its nodes, with credentials and TLS as for one server', () => {
    expect(readRedisUrl('redis+cluster://one:7000,two,[::1]:7002')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 6379 },
        { host: '::1', port: 7002 },
      ],
      access: { isTls: false },
    });
    expect(readRedisUrl('rediss+cluster://weir:p%40ss:word@one:7000/')).toEqual({
      kind: 'cluster',
      nodes: [{ host: 'one', port: 7000 }],
      access: { username: 'weir', password: 'p@ss:word', isTls: true },
    });
    expect(readRedisUrl('redis+cluster://:secret@one')).toMatchObject({ access: { password: 'secret' } });
  });

  test.each(['redis+cluster://', 'http://redis', 'redis+cluster://one:0', 'redis+cluster://:secret@one,two:99999'])(
    'is not said by %s, and no password is in the error',
    (url) => {
      expect(() => readRedisUrl(url)).toThrow(RangeError);
      expect(() => readRedisUrl(url)).not.toThrow(/secret/);
    },
  );
});
