import { ApiError } from './api-error';
import { explain, refusalAt, refusalElsewhere } from './refusals';

const error = new ApiError('`labels.a b` is no name.', { status: 400, field: 'labels.a b' });

describe('refusals', () => {
  it('stand at the field they name', () => {
    expect(refusalAt(error, 'labels')).toBe(error.message);
    expect(refusalAt(error, 'name')).toBeUndefined();
    expect(refusalAt(error, 'label')).toBeUndefined();
    expect(refusalAt(null, 'name')).toBeUndefined();
  });

  it('stand elsewhere when their field is not shown', () => {
    expect(refusalElsewhere(error, ['name', 'labels'])).toBeUndefined();
    expect(refusalElsewhere(error, ['name'])).toBe(error.message);
    expect(refusalElsewhere(undefined, [])).toBeUndefined();
  });

  it('of permission say so', () => {
    expect(explain(new ApiError('Only administrators may.', { status: 403 }))).toBe(
      'Your key does not allow this. Only administrators may.',
    );
  });
});
