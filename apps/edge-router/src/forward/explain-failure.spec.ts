import { GatewayError } from '@weir/errors';
import { findSystemCode, isNeverSent } from './explain-failure';

describe('a request that could not be handed on', () => {
  it.each([
    ['ECONNREFUSED', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['UND_ERR_SOCKET', false],
    ['ECONNRESET', false],
  ])('%s: it reached no worker for certain: %s', (code, expected) => {
    const cause = Object.assign(new Error('fetch failed'), { code });
    const failure = new GatewayError('provider_unreachable', 'The provider could not be reached.', { cause });

    expect([findSystemCode(failure), isNeverSent(failure)]).toEqual([code, expected]);
  });
});
