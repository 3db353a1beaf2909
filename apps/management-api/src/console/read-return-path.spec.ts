import { readReturnPath } from './read-return-path';

describe('the way back', () => {
  it.each(['/console', '/console/', '/console/requests?model=a%2Fb&status=error', '/console/keys/1', '/console?x=1'])(
    'may be %s',
    (path) => {
      expect(readReturnPath(path)).toBe(path);
    },
  );

  it.each([
    ...['https://evil.example/console/', '//evil.example', '/console//evil.example', '/console/\\evil.example', '/console/../v1/models'],
    ...[
      '/console/%2e%2e/x',
      '/consoles',
      '/console/api/v1/models',
      '/console/oidc/start',
      '/console/enter?token=a',
      '/console/sign-in?reason=ended',
    ],
    ...['/console/session', '', undefined, ['/console/keys'], `/console/${'x'.repeat(1_000)}`, '/\tconsole/'],
  ])('is the first page for %p', (path) => {
    expect(readReturnPath(path)).toBe('/console/');
  });
});
