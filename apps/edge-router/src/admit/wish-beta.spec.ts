import type { IncomingHttpHeaders } from 'node:http';
import { wishBeta } from './wish-beta';

describe('a preview feature that the name of a model asked for', () => {
  it.each<[IncomingHttpHeaders, string]>([
    [{}, 'long'],
    [{ 'anthropic-beta': 'other' }, 'other,long'],
    [{ 'anthropic-beta': 'other, long' }, 'other, long'],
  ])('is in the header beside those that were asked for there: %j', (headers, expected) => {
    wishBeta(headers, 'long');
    expect(headers).toEqual({ 'anthropic-beta': expected });
  });
});
