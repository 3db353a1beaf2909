import { checkMediaType } from './check-media-type';

const FORM = 'multipart/form-data; boundary=x';

describe('what a body says it is', () => {
  test.each([
    ['json', undefined, false],
    ['json', 'application/json; charset=utf-8', true],
    ['json', 'application/problem+json', true],
    ['json', FORM, false],
    ['json', 'text/plain', false],
    ['form', FORM, true],
    ['form', 'Multipart/Form-Data;boundary=x', true],
    ['form', 'multipart/mixed; boundary=x', false],
    ['form', 'application/json', false],
    ['form', undefined, false],
    ['json-or-form', FORM, true],
    ['json-or-form', 'application/json', true],
    ['json-or-form', undefined, false],
    ['json-or-form', 'application/x-www-form-urlencoded', false],
    ['none', 'text/plain', true],
  ] as const)('%s takes %s: %s', (body, type, isTaken) => {
    const check = (): void => checkMediaType(type === undefined ? {} : { 'content-type': type }, body);
    if (isTaken) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }) as Error);
  });

  test.each([
    ['gzip', false],
    ['identity', true],
    ['br', false],
  ] as const)('compressed as %s: %s', (encoding, isTaken) => {
    for (const [body, type] of [
      ['json', 'application/json'],
      ['form', FORM],
    ] as const) {
      const check = (): void => checkMediaType({ 'content-type': type, 'content-encoding': encoding }, body);
      if (isTaken) expect(check).not.toThrow();
      else expect(check).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }) as Error);
    }
  });
});
