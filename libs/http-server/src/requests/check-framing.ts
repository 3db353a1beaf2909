import type { IncomingMessage } from 'node:http';

/**
 * Whether another server on the way of a request could have read it differently: its body in a coding other than chunks,
 * or in chunks where there are none yet (HTTP/1.0), or for two hosts. The parser refuses all the rest by itself.
 */
export function isAmbiguous({ headers, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0)) return true;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
