/** `{message}`, with the status telling most of it. */
export { readPlainError as readError } from '../../failures/read-plain-error';
