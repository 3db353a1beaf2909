/** Only bodies in the words of the Messages API go on as they are, so only its usage is read outside the codecs. */
export { readUsage } from '../anthropic/read-usage';
