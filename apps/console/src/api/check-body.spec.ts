import { createAlertBody, createApiKeyBody } from '@weir/contracts';
import { checkBody, findError, findErrorElsewhere, hasErrors, nestErrors } from './check-body';

describe('checkBody', () => {
  it('finds nothing wrong with what the interface takes', () => {
    const errors = checkBody(createApiKeyBody, { name: 'app', monthly_limit: null });

    expect([errors, hasErrors(errors)]).toEqual([{}, false]);
  });

  it('says by field what the interface would say', () => {
    const errors = checkBody(createApiKeyBody, { name: '', monthly_limit: -1, labels: { 'a b': 'x' } });

    expect(errors).toEqual({
      name: 'must not be empty',
      monthly_limit: 'must be at least 0',
      'labels.a b': 'has a name that is not allowed here: it must be 1 to 64 letters, digits, "_", "." or "-"',
    });
    expect(findError(errors, ['name'])).toBe('Must not be empty.');
    expect(findError(errors, ['labels'])).toMatch(/^“a b” has a name that is not allowed here: it must be 1 to 64 .*"-"\.$/);
    expect(findError(errors, ['group_id'])).toBeUndefined();
  });

  it('checks what several fields have to be together', () => {
    const errors = checkBody(createAlertBody, { scope: 'key', amount: 1, url: 'https://example.com' });

    expect(findError(errors, ['api_key_id'])).toBe('Is not valid: is needed for the scope "key".');
  });
});

describe('errors of a form', () => {
  it('that stand at no field are not lost', () => {
    const errors = { name: undefined, extra: 'is not known', labels: 'Two labels have the same name.' };

    expect(findErrorElsewhere(errors, ['name', 'labels'])).toBe('“extra” is not known.');
    expect(findErrorElsewhere(errors, ['extra', 'labels'])).toBeUndefined();
    expect(findError(errors, ['labels'])).toBe('Two labels have the same name.');
    expect(hasErrors({ name: undefined })).toBe(false);
  });

  it('of a body within keep apart from those around it', () => {
    const errors = { ...nestErrors('group', { name: 'must not be empty' }), name: undefined };

    expect([findError(errors, ['group.name']), findError(errors, ['name'])]).toEqual(['Must not be empty.', undefined]);
  });
});
