// How pages reach the gateway.
export { ApiError, toApiError } from './api-error';
export { api, apiFetch, unwrap, type Schemas } from './client';
export { useSession, type Session } from './session';
