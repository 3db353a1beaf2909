import { EXAMPLE_IDS } from '@weir/api-description';
import { request } from 'node:http';
import { listWorstRequests } from './management-requests';
import { PLACES } from './places';
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

const EXAMPLE_ID = new RegExp(Object.values(EXAMPLE_IDS).join('|'), 'g');

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
        const key = where.isGuarded === true ? gateway.keys.guarded : gateway.keys.plain;
        const asked = { method: 'POST', path: where.path, body, headers: { authorization: `Bearer ${key}`, ...where.headers } };
        const found = { size, shape: one.name, place: where.name, ...(await measure(gateway, asked, tries)) };
        onFound?.(found);
        all.push(found);
      }
    }
  }
  return all;
}

type ManagementHunt = Pick<HuntOptions, 'shape' | 'place' | 'tries' | 'onFound'>;

/** The same with every management endpoint of the endpoint table. Things that paths and bodies name are made once for each endpoint. */
export async function huntWorstOfManagement(
  gateway: Watched,
  { shape = '', place = '', tries, onFound }: ManagementHunt,
): Promise<Found[]> {
  const all: Found[] = [];
  const filled = new Map<string, string>();
  for (const { about, row, path, body } of listWorstRequests(place, shape)) {
    for (const [id] of `${path} ${body ?? ''}`.matchAll(EXAMPLE_ID)) {
      if (!filled.has(`${row.id} ${id}`)) filled.set(`${row.id} ${id}`, await gateway.fill(id));
    }
    const fill = (text: string): string => text.replaceAll(EXAMPLE_ID, (id) => filled.get(`${row.id} ${id}`) ?? id);
    const bytes = body === undefined ? undefined : Buffer.from(fill(body));
    const asked = { method: row.method, path: fill(path), body: bytes, headers: { authorization: `Bearer ${gateway.keys.administrator}` } };
    const found = { size: bytes?.length ?? 0, shape: about, place: row.id, ...(await measure(gateway, asked, tries)) };
    onFound?.(found);
    all.push(found);
  }
  return all;
}

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

async function measure(gateway: Watched, asked: Asked, tries: number): Promise<Pick<Found, 'status' | 'blockedMs'>> {
  let blockedMs = Infinity;
  let status = 0;
  for (let left = tries; left > 0 && blockedMs > WORTH_TRYING_MS; left -= 1) {
    await gateway.readBlock();
    status = await send(gateway, asked);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    blockedMs = Math.min(blockedMs, await gateway.readBlock());
  }
  return { status, blockedMs };
}

/** Resolves with the status; 0 where the connection was closed without one, or nothing came for too long. */
function send(gateway: Watched, { method, path, headers, body }: Asked): Promise<number> {
  const about = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve) => {
    const sent = request(`${gateway.url}${path}`, { method, agent: false, headers: { ...about, ...headers } }, (reply) => {
      reply.resume();
      reply.on('close', () => resolve(reply.statusCode ?? 0));
    });
    sent.setTimeout(HANGS_AFTER_MS, () => sent.destroy());
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}
