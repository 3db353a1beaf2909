import { GatewayError } from '@weir/errors';
import { findSystemCode, isNeverSent } from './never-sent';

describe('a request that could not be handed on', () => {
  it.each([
    ['ECONNREFUSED', 'connect', true],
    ['EHOSTUNREACH', 'connect', true],
    ['EHOSTUNREACH', 'read', false],
    ['ENETUNREACH', 'write', false],
    ['ENOTFOUND', 'getaddrinfo', true],
    ['UND_ERR_CONNECT_TIMEOUT', undefined, true],
    ['UND_ERR_SOCKET', undefined, false],
    ['ECONNRESET', 'read', false],
  ])('%s of %s: it reached no worker for certain: %s', (code, syscall, expected) => {
    const cause = Object.assign(new Error('fetch failed'), { code, syscall });
    const failure = new GatewayError('provider_unreachable', 'The provider could not be reached.', { cause });

    expect([findSystemCode(failure), isNeverSent(failure)]).toEqual([code, expected]);
  });
});
