/** `{error:{message,type,param,code}}`; an exhausted account arrives as 429 with a code of its own. */
export { readPlainError as readError } from '../../failures/read-plain-error';
