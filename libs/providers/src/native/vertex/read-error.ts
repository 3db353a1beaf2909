/** The service's own errors; those of other makers' models have the same members where it matters. */
export { readError } from '../google/read-error';
