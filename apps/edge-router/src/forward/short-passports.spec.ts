import {
  describeGreeting,
  GREETING_HEADER,
  isShortPassport,
  NOT_BEGUN_HEADER,
  PASSPORT_HEADER,
  readShortPassport,
  SEND_TERMS,
  SEND_WHOLE,
  TERMS_HEADER,
} from '@weir/contracts';
import type { ConnectionNotes } from '@weir/upstream-http';
import { Readable } from 'node:stream';
import { buildForwarded } from './__fixtures__/build-forwarded';
import { createHttpForward } from './forward-over-http';
import { WorkerAddresses } from './worker-addresses';

const SECRET = 's'.repeat(32);
const PATH = '/v1/chat/completions';
type Headers = Readonly<Record<string, string>>;
type Reply = { readonly status: number; readonly headers: Headers };

const OK: Reply = { status: 200, headers: {} };
const refuse = (reason: string): Reply => ({ status: 403, headers: { [NOT_BEGUN_HEADER]: reason } });
const greet = (connection: string, process = 'p'): Reply => ({
  status: 200,
  headers: { [GREETING_HEADER]: describeGreeting({ process, connection }) },
});

/** A worker whose replies are given, and what it was sent over each of its connections. */
function connectTo(replies: readonly Reply[]) {
  const sent: Headers[] = [];
  const connections = new Map<string, ConnectionNotes>();
  let current = 'a';
  const forward = createHttpForward({
    workers: { 'chat-translator': new WorkerAddresses(['http://worker']) },
    send: (call) => {
      const headers = { ...call.headers };
      const notes = connections.get(current) ?? {};
      connections.set(current, notes);
      call.addHeaders?.(headers, notes);
      const reply = replies[sent.push(headers) - 1] ?? OK;
      return Promise.resolve({ ...reply, body: Readable.from([Buffer.from('body')]) });
    },
    passportSecret: SECRET,
  });
  const ask = async (more: Parameters<typeof buildForwarded>[0] = {}, over = 'a') => {
    current = over;
    const built = buildForwarded(more);
    await forward('chat-translator', built.admitted);
    return built;
  };
  return { ask, sent, describe: () => sent.map(describeSent) };
}

/** `whole`, or which short one with or without its terms; `?` where the worker is asked whether it understands short ones. */
function describeSent(headers: Headers): string {
  const header = headers[PASSPORT_HEADER] ?? '';
  if (!isShortPassport(header)) return headers[GREETING_HEADER] === undefined ? 'whole' : 'whole?';
  const short = readShortPassport(header, PATH, SECRET);
  return `${short?.connection} ${short?.number}${headers[TERMS_HEADER] === undefined ? '' : ' with terms'}`;
}

describe('the passports that an edge sends', () => {
  it('are whole until the worker has said that it understands short ones, and to one that does not', async () => {
    const { ask, describe: list } = connectTo([]);
    for (let times = 0; times < 3; times += 1) await ask();

    expect(list()).toEqual(['whole?', 'whole?', 'whole?']);
  });

  it('are short from then on, with their terms once for each process, numbered by connection', async () => {
    const { ask, describe: list } = connectTo([greet('ca'), OK, OK, greet('cb'), OK, greet('cc', 'q'), OK, OK]);
    const { headers } = await ask();
    for (const over of ['a', 'a', 'b', 'b', 'c', 'c', 'a']) await ask({}, over);

    expect(headers).toEqual({});
    expect(list()).toEqual(['whole?', 'ca 1 with terms', 'ca 2', 'whole?', 'cb 1', 'whole?', 'cc 1 with terms', 'ca 3']);
  });

  it('are whole, once more and at once, where a worker has forgotten the terms; nothing is given back for that', async () => {
    const { ask, describe: list } = connectTo([greet('ca'), OK, refuse(SEND_TERMS), OK, OK]);
    const giveBack = jest.fn(() => Promise.resolve());
    await ask();
    await ask();
    const { reported } = await ask({ giveBack });
    await ask();

    expect([reported, giveBack.mock.calls.length]).toEqual([['200', 'body'], 0]);
    expect(list()).toEqual(['whole?', 'ca 1 with terms', 'ca 2', 'whole?', 'ca 3 with terms']);
  });

  it('have terms with them until the worker has read them', async () => {
    const { ask, describe: list } = connectTo([greet('ca'), { status: 503, headers: { [NOT_BEGUN_HEADER]: 'true' } }, OK, OK]);
    for (let times = 0; times < 4; times += 1) await ask();

    expect(list()).toEqual(['whole?', 'ca 1 with terms', 'ca 2 with terms', 'ca 3']);
  });

  it('stay whole where something between mixes connections', async () => {
    const { ask, describe: list } = connectTo([greet('ca'), refuse(SEND_WHOLE), greet('cb'), OK]);
    await ask();
    const { reported } = await ask();
    await ask();

    expect(reported).toEqual(['200', 'body']);
    expect(list()).toEqual(['whole?', 'ca 1 with terms', 'whole', 'whole']);
  });

  it('that are refused whole are refused', async () => {
    const { ask } = connectTo([greet('ca'), refuse(SEND_WHOLE), refuse('true')]);
    const giveBack = jest.fn(() => Promise.resolve());
    await ask();
    const { reported } = await ask({ giveBack });

    expect([reported, giveBack.mock.calls.length]).toEqual([['403', 'body'], 1]);
  });

  it('are whole for forms, whose files are sent once', async () => {
    const { ask, describe: list } = connectTo([greet('ca')]);
    await ask();
    await ask({ form: { fields: [], files: [], discard: () => Promise.resolve() } });

    expect(list()).toEqual(['whole?', 'whole?']);
  });

  it('are not sent again for a caller who left; what was taken is given back', async () => {
    const { ask, sent } = connectTo([greet('ca'), refuse(SEND_TERMS)]);
    const giveBack = jest.fn(() => Promise.resolve());
    await ask();
    const built = buildForwarded({ giveBack });
    const asking = ask({ giveBack, response: built.admitted.response });
    built.leave();
    await asking;

    expect([sent.length, built.reported, giveBack.mock.calls.length]).toEqual([2, [], 1]);
  });

  it('are smaller than whole ones by what the worker knows', async () => {
    const { ask, sent } = connectTo([greet('ca'), OK, OK]);
    for (let times = 0; times < 3; times += 1) await ask();
    const [whole = 0, , short = 0] = sent.map((headers) => headers[PASSPORT_HEADER]?.length ?? 0);

    expect([sent[2]?.[TERMS_HEADER], short < whole]).toEqual([undefined, true]);
  });
});
