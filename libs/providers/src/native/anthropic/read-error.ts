/** `{type:"error",error:{type,message}}`, where the status is the best sign of the cause. */
export { readPlainError as readError } from '../../failures/read-plain-error';
