import type { ExpressCall } from '../../provider/target';

/** The version whose fields this folder writes. Callers whose own body goes on may name another: it says what the body means. */
const VERSION = '2023-06-01';

export function createSignRequest(apiKey: string): (call: ExpressCall) => Record<string, string> {
  const credential = { 'x-api-key': apiKey, 'anthropic-version': VERSION };
  return ({ headers }) => {
    const asked = headers?.['anthropic-version'];
    return asked === undefined ? credential : { ...credential, 'anthropic-version': asked };
  };
}
