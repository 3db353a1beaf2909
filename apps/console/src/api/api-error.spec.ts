import { ApiError, readApiError, toApiError } from './api-error';

describe('errors of the gateway', () => {
  it('are read from its envelope', () => {
    const body = { error: { origin: 'router', message: 'No.', code: 'forbidden', param: 'name', request_id: 'r1' } };

    expect(readApiError(403, body)).toMatchObject({ message: 'No.', status: 403, code: 'forbidden', field: 'name', requestId: 'r1' });
  });

  it('are read from the envelope of access lists, with the id of the header', () => {
    expect(readApiError(404, { error: { message: 'Not found.' } }, 'r2')).toMatchObject({ message: 'Not found.', requestId: 'r2' });
  });

  it.each([null, 'bad gateway', { error: 'text' }, []])('say their status where the body is %p', (body) => {
    expect(readApiError(502, body).message).toContain('502');
  });

  it('of a connection have no status', () => {
    expect(toApiError(new TypeError('fetch failed'))).toMatchObject({ status: 0, message: 'The gateway cannot be reached.' });
    const own = new ApiError('x', { status: 400 });
    expect(toApiError(own)).toBe(own);
  });
});
