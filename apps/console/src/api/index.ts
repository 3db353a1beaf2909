// How pages reach the gateway.
export { ApiError, toApiError } from './api-error';
export { checkBody, mergeErrors, nestErrors, type FieldErrors } from './check-body';
export { api, apiFetch, unwrap, type Schemas } from './client';
export { explain } from './refusals';
export { useForm, type Form } from './use-form';
export { useSession, type Session } from './session';
