import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Reply } from './reply';

/** Writes a reply step by step, each in a packet of its own as far as that is for the writer to say. */
export async function writeReply(response: ServerResponse, { status, headers, steps }: Reply, wait: () => Promise<void>): Promise<void> {
  if (status !== 0) response.writeHead(status, { ...headers });
  response.socket?.setNoDelay(true);
  for (const step of steps) {
    if (response.destroyed) return;
    if (step.do === 'write') response.write(step.bytes);
    if (step.do === 'wait') await wait();
    if (step.do === 'pause') await setTimeout(step.ms);
    if (step.do === 'cut') return await hangUp(response);
    await setImmediate();
  }
  response.end();
}

/** What was written reaches the gateway before the connection ends without an end of the reply. */
async function hangUp(response: ServerResponse): Promise<void> {
  await setTimeout(20);
  response.socket?.destroySoon();
}
