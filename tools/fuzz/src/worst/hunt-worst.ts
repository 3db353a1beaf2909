import { request } from 'node:http';
import { PLACES, type Place } from './places';
import { createBodyMaker, SHAPES } from './shapes';
import type { Watched } from './start-watched';

type HuntOptions = {
  /** Of bodies. */
  readonly sizes: readonly number[];
  /** What the names of shapes and places have to contain. */
  readonly shape?: string;
  readonly place?: string;
  /** Noise of the machine only adds: of several tries the least counts. */
  readonly tries: number;
  readonly onFound?: (found: Found) => void;
};

export type Found = {
  readonly size: number;
  readonly shape: string;
  readonly place: string;
  readonly status: number;
  /** For which the event loop was blocked at most. */
  readonly blockedMs: number;
};

/** Until what follows an answer is over as well. */
const SETTLE_MS = 15;
const HANGS_AFTER_MS = 30_000;
/** What is faster is not tried again. */
const WORTH_TRYING_MS = 20;

/** Sends every shape of body in every size to every place, one after another, and says how long each blocked the gateway. */
export async function huntWorst(gateway: Watched, { sizes, shape = '', place = '', tries, onFound }: HuntOptions): Promise<Found[]> {
  const all: Found[] = [];
  for (const size of sizes) {
    for (const one of SHAPES.filter(({ name }) => name.includes(shape))) {
      const createBody = createBodyMaker(one, size);
      for (const where of PLACES.filter(({ name }) => name.includes(place))) {
        const body = createBody(where.host);
        const found = { size, shape: one.name, place: where.name, ...(await measure(gateway, { body, place: where, tries })) };
        onFound?.(found);
        all.push(found);
      }
    }
  }
  return all;
}

type Try = { readonly body: Buffer; readonly place: Place; readonly tries: number };

async function measure(gateway: Watched, { body, place, tries }: Try): Promise<Pick<Found, 'status' | 'blockedMs'>> {
  let blockedMs = Infinity;
  let status = 0;
  for (let left = tries; left > 0 && blockedMs > WORTH_TRYING_MS; left -= 1) {
    await gateway.readBlock();
    status = await send(gateway, place, body);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    blockedMs = Math.min(blockedMs, await gateway.readBlock());
  }
  return { status, blockedMs };
}

/** Resolves with the status; 0 where the connection was closed without one, or nothing came for too long. */
function send(gateway: Watched, { path, headers, isGuarded }: Place, body: Buffer): Promise<number> {
  const key = isGuarded === true ? gateway.keys.guarded : gateway.keys.plain;
  return new Promise((resolve) => {
    const sent = request(
      `${gateway.url}${path}`,
      {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length, ...headers },
      },
      (reply) => {
        reply.resume();
        reply.on('close', () => resolve(reply.statusCode ?? 0));
      },
    );
    sent.setTimeout(HANGS_AFTER_MS, () => sent.destroy());
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}
