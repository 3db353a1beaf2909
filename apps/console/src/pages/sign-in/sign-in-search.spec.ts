import { readReturn, readSignInSearch } from './sign-in-search';

describe('where to go after signing in', () => {
  it.each(['/', '/requests?model=a', '/keys/1'])('%s', (path) => {
    expect(readReturn(path)).toBe(path);
  });

  it.each(['//elsewhere.test', '/\\elsewhere.test', 'https://elsewhere.test', 'keys', '/sign-in?return=/', '', 7, '/\t/elsewhere.test'])(
    'never %p',
    (path) => {
      expect(readReturn(path)).toBeUndefined();
    },
  );

  it('unknown reasons are none', () => {
    expect(readSignInSearch({ reason: 'x', return: '/' })).toEqual({ return: '/' });
    expect(readSignInSearch({ reason: 'link' })).toEqual({ reason: 'link' });
  });
});
