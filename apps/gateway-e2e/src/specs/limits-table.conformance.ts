import { randomUUID } from 'node:crypto';
import {
  LIMIT_ACTIONS,
  LIMIT_MEASURES,
  LIMIT_SCOPES,
  LIMIT_WINDOWS,
  type LimitAction,
  type LimitMeasure,
  type LimitScope,
  type LimitWindow,
} from '@weir/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';

export type LimitedGateway = {
  readonly url: string;
  readonly managementUrl: string;
  readonly apiKey: string;
  /** Ends the process that calls providers with SIGKILL; resolves when another one serves in its place. */
  killWorker(): Promise<void>;
};

type Fields = Readonly<Record<string, unknown>>;
/** Whom requests of this suite belong to: one of each scope. */
type Caller = { readonly key: string; readonly keyId: string; readonly groupId: string; readonly memberId: string };
type Refusal = { readonly code: string; readonly limit: Readonly<Record<string, unknown>> };

const TEAM = { label: 'team', value: 'research' };
const END_USER = 'end-user-1';
const SERVED_WITHIN_MS = 15_000;
const PICO_PER_USD = 1e12;

/** The fields that name the caller in each scope: a new scope needs a line here. */
const TARGETS: Readonly<Record<LimitScope, (caller: Caller) => Fields>> = {
  organization: () => ({}),
  group: ({ groupId }) => ({ group_id: groupId }),
  member: ({ memberId }) => ({ member_id: memberId }),
  key: ({ keyId }) => ({ api_key_id: keyId }),
  end_user: () => ({ end_user: END_USER }),
  api_key_label: () => TEAM,
  group_label: () => TEAM,
};

/** For each of its kind apart, with what else a scope needs. */
const APART: Readonly<Record<LimitScope, Fields>> = {
  ...{ organization: {}, group: {}, member: {}, key: {}, end_user: {} },
  ...{ api_key_label: { label: TEAM.label }, group_label: { label: TEAM.label } },
};

/** What is enough for some requests of a suite and not for ten of them. */
const AMOUNTS: Readonly<Record<LimitMeasure, string>> = {
  ...{ usd: '0.0006', requests: '3', input_tokens: '500', output_tokens: '100', tokens: '600' },
  ...{ concurrent_requests: '2', concurrent_streams: '2' },
};

/** Whether the refusal says when it frees. */
const FREES: Readonly<Record<LimitWindow, boolean>> = {
  ...{ minute: true, hour: true, day: true, week: true, month: true, '24h': true, '30d': true, total: false },
};

type Used = { requests: number; input: number; output: number; pico: bigint };

/** What was used, as replies say it, in the unit of a measure. */
const USED: Readonly<Record<LimitMeasure, (used: Used) => bigint>> = {
  usd: ({ pico }) => pico,
  requests: ({ requests }) => BigInt(requests),
  input_tokens: ({ input }) => BigInt(input),
  output_tokens: ({ output }) => BigInt(output),
  tokens: ({ input, output }) => BigInt(input + output),
  concurrent_requests: () => 0n,
  concurrent_streams: () => 0n,
};

const CONCURRENT = LIMIT_MEASURES.filter(({ isConcurrent }) => isConcurrent).map(({ name }) => name);
const WINDOWED = LIMIT_MEASURES.filter(({ isConcurrent }) => !isConcurrent).map(({ name }) => name);

/** Every row of the tables of limits, through a whole gateway. */
export function describeLimitsTable(start: () => Promise<LimitedGateway>, within: { readonly killedWithinMs: number }): void {
  let gateway: LimitedGateway;
  let call: CallHarness;
  let caller: Caller;

  const must = async (route: string, body?: unknown): Promise<Record<string, unknown>> => {
    const { status, text, json } = await call(route, body);
    if (status > 299) throw new Error(`${route} answered ${status}: ${text}`);
    return json;
  };
  const as = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

  beforeAll(async () => {
    gateway = await start();
    call = createCallHarness(gateway);
    const groupId = String((await must('POST /v1/manage/group', { name: 'Research' }))['group_id']);
    await must(`POST /v1/manage/group/${groupId}/label`, { labels: { [TEAM.label]: TEAM.value } });
    const { members } = (await must('GET /v1/manage/org/member')) as { members: { user_id: string }[] };
    const memberId = members[0]?.user_id ?? '';
    await must(`POST /v1/manage/group/${groupId}/member`, { user_id: memberId, role: 'member' });
    const labels = { [TEAM.label]: TEAM.value };
    const made = await must('POST /v1/manage/apikey', { name: 'limited', member_id: memberId, group_id: groupId, labels });
    caller = { key: String(made['api_key']), keyId: String(made['api_key_id']), groupId, memberId };
  }, 120_000);

  async function readBinding(limitId: string): Promise<Record<string, unknown> | undefined> {
    const { json, status, text } = await call(`GET /v1/limits?user=${END_USER}`, undefined, as(caller.key));
    if (status !== 200) throw new Error(`limits answered ${status}: ${text}`);
    return (json['limits'] as Record<string, unknown>[]).find(({ id }) => id === limitId);
  }

  async function until<Value>(what: string, read: () => Promise<Value>, isWanted: (value: Value) => boolean): Promise<Value> {
    const deadline = Date.now() + SERVED_WITHIN_MS;
    for (;;) {
      const value = await read();
      if (isWanted(value)) return value;
      if (Date.now() > deadline) throw new Error(`${what}: still ${JSON.stringify(value)}`);
      await pause(50);
    }
  }

  /** Runs with a limit that is in force, and takes it away again. */
  async function withLimit(fields: Fields, run: (limitId: string) => Promise<void>): Promise<void> {
    const id = String((await must('POST /v1/manage/limit', { name: `e2e ${randomUUID()}`, ...fields }))['id']);
    try {
      await until(
        'the limit is in force',
        () => readBinding(id),
        (found) => found !== undefined,
      );
      await run(id);
    } finally {
      await must(`DELETE /v1/manage/limit/${id}`);
      await until(
        'the limit is gone',
        () => readBinding(id),
        (found) => found === undefined,
      );
    }
  }

  const limitOf = (measure: LimitMeasure, more: Fields = {}): Fields => ({
    ...{ scope: 'key', api_key_id: caller.keyId, measure, amount: AMOUNTS[measure] },
    ...(CONCURRENT.some((name) => name === measure) ? {} : { window: 'total' }),
    ...more,
  });

  const chat = (prompt = '!tokens 7', more: Fields = {}): Promise<HarnessReply> =>
    call(
      'POST /v1/chat/completions',
      { model: 'sandbox/chat', user: END_USER, max_tokens: 20, messages: [{ role: 'user', content: prompt }], ...more },
      as(caller.key),
    );
  const many = (count: number): Promise<HarnessReply[]> => Promise.all(Array.from({ length: count }, () => chat()));
  const served = (replies: readonly HarnessReply[]): HarnessReply[] => replies.filter(({ status }) => status === 200);
  const refusalOf = ({ json, text }: HarnessReply): Refusal => {
    const { code = '', limit = {} } = (json['error'] ?? {}) as Partial<Refusal>;
    if (limit['measure'] === undefined) throw new Error(`the refusal names no limit: ${text}`);
    return { code, limit };
  };
  const refused = (replies: readonly HarnessReply[]): Refusal[] => replies.filter(({ status }) => status !== 200).map(refusalOf);

  const addUp = (replies: readonly HarnessReply[]): Used => {
    const used: Used = { requests: 0, input: 0, output: 0, pico: 0n };
    for (const { json } of served(replies)) {
      const usage = json['usage'] as { prompt_tokens: number; completion_tokens: number; cost: number };
      used.requests += 1;
      used.input += usage.prompt_tokens;
      used.output += usage.completion_tokens;
      used.pico += BigInt(Math.round(usage.cost * PICO_PER_USD));
    }
    return used;
  };
  const toUnit = (measure: LimitMeasure, text: unknown): bigint =>
    measure === 'usd' ? BigInt(Math.round(Number(text) * PICO_PER_USD)) : BigInt(String(text));

  /** What the caller is shown, and what is committed, come to be what replies said. */
  async function expectCounted(limitId: string, measure: LimitMeasure, replies: readonly HarnessReply[]): Promise<void> {
    const expected = USED[measure](addUp(replies));
    const found = await until(
      `${measure} is counted`,
      () => readBinding(limitId),
      (one) => toUnit(measure, one?.['used'] ?? '-1') === expected,
    );
    expect(toUnit(measure, found?.['used'])).toBe(expected);
    const managed = await until(
      `${measure} is committed`,
      async () => (await must(`GET /v1/manage/limit/${limitId}`))['limit'] as Record<string, unknown> | undefined,
      (limit) => toUnit(measure, readUsed(limit)) === expected,
    );
    expect(toUnit(measure, readUsed(managed))).toBe(expected);
  }

  const SCOPES = LIMIT_SCOPES.map(({ name }) => name);

  test.each(SCOPES)('of the scope "%s": as many are served at once as it allows, and not one more', async (scope) => {
    await withLimit({ ...limitOf('requests'), api_key_id: undefined, scope, ...TARGETS[scope](caller) }, async () => {
      const replies = await many(8);
      expect(served(replies)).toHaveLength(3);
      for (const { code, limit } of refused(replies)) {
        expect(code).toBe('limit_reached');
        expect(limit).toMatchObject({ scope, measure: 'requests', window: 'total', limit: '3', used: '3', remaining: '0', asked: '1' });
      }
    });
  });

  test.each(SCOPES)('of the scope "%s", for each apart: tokens are counted to the last one', async (scope) => {
    const fields = { ...limitOf('output_tokens'), api_key_id: undefined, scope, ...APART[scope] };
    await withLimit(fields, async (id) => {
      const replies = await many(10);
      expect(refused(replies).every(({ limit }) => limit['scope'] === scope)).toBe(true);
      expect(addUp(replies).output).toBeLessThanOrEqual(100);
      await expectCounted(id, 'output_tokens', replies);
    });
  });

  test.each(WINDOWED)('in %s: never over, all of it usable, and exactly what replies say', async (measure) => {
    await withLimit(limitOf(measure), async (id) => {
      const max = toUnit(measure, AMOUNTS[measure]);
      const replies = await many(12);
      // One after the other, all of it can be used but what one request may take. What ended a moment ago may still be held.
      const isUsedUp = (): boolean => {
        const [last] = refused(replies.slice(-1));
        return last !== undefined && max - USED[measure](addUp(replies)) < toUnit(measure, last.limit['asked']);
      };
      for (const deadline = Date.now() + SERVED_WITHIN_MS; !isUsedUp() && Date.now() < deadline;) replies.push(await chat());
      expect(isUsedUp()).toBe(true);
      expect(USED[measure](addUp(replies)) <= max).toBe(true);
      const [last] = refused(replies.slice(-1));
      expect(last?.limit).toMatchObject({ id, scope: 'key', measure, window: 'total', frees_at: null });
      expect(toUnit(measure, last?.limit['asked']) > toUnit(measure, last?.limit['remaining'])).toBe(true);
      await expectCounted(id, measure, replies);
    });
  });

  test.each(LIMIT_WINDOWS.map(({ name }) => name))('in the window "%s": the refusal says when it frees', async (window) => {
    // Not at the end of a minute, where every window may end.
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 3_000) await pause(left);
    await withLimit(limitOf('requests', { window, amount: '2' }), async () => {
      const startedAt = Date.now();
      const replies = [await chat(), await chat(), await chat()];
      expect(replies.map(({ status }) => status === 200)).toEqual([true, true, false]);
      const [{ limit } = { limit: {} as Refusal['limit'] }] = refused(replies);
      expect(limit).toMatchObject({ window, used: '2', limit: '2' });
      const freesAt = limit['frees_at'];
      if (!FREES[window]) return expect(freesAt).toBeNull();
      expect(Date.parse(String(freesAt))).toBeGreaterThan(startedAt);
      expect(new Date(String(freesAt)).getUTCSeconds()).toBe(0);
    });
  });

  /** A stream that stays open until it is left. */
  async function openStream(prompt = '!tokens 400 !gap 60'): Promise<{ status: number; leave(): void; text: Promise<string> }> {
    const leaving = new AbortController();
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', ...as(caller.key) },
      body: JSON.stringify({ model: 'sandbox/chat', max_tokens: 500, stream: true, messages: [{ role: 'user', content: prompt }] }),
    });
    return { status: reply.status, leave: () => leaving.abort(), text: reply.text().catch(() => '') };
  }

  const isServed = async (): Promise<boolean> => {
    const { status, leave } = await openStream('!tokens 1');
    leave();
    return status === 200;
  };

  describe.each(CONCURRENT)('of %s', (measure) => {
    it('as many run at a time as it allows; a place is free once one has ended, or its caller has left', async () => {
      await withLimit(limitOf(measure), async () => {
        const short = await openStream('!tokens 10 !gap 100');
        const long = await openStream();
        const third = await openStream();
        expect([short.status, long.status, third.status]).toEqual([200, 200, 429]);
        const { error } = JSON.parse(await third.text) as { error: { code: string; limit: object } };
        expect(error).toMatchObject({ code: 'rate_limited', limit: { measure, window: null, limit: '2', used: '2', frees_at: null } });
        await short.text;
        expect(await until('the place of the one that ended', isServed, Boolean)).toBe(true);
        long.leave();
        await until('the place of the one that left', async () => (await Promise.all([isServed(), isServed()])).every(Boolean), Boolean);
      });
    });

    it('many race for the places, and all are free in the end', async () => {
      await withLimit(limitOf(measure), async (id) => {
        const opened = await Promise.all(Array.from({ length: 10 }, () => openStream('!tokens 5 !gap 100')));
        expect(opened.filter(({ status }) => status === 200)).toHaveLength(2);
        await Promise.all(opened.map(({ text }) => text));
        await until(
          'nothing is held',
          () => readBinding(id),
          (found) => found?.['used'] === '0',
        );
      });
    });
  });

  test.each(LIMIT_ACTIONS.map(({ name }) => name))('of the action "%s"', async (action) => {
    const fallback = action === 'fallback' ? { fallback_model: 'sandbox/chat-free' } : {};
    await withLimit(limitOf('requests', { action, amount: '1', ...fallback }), async (id) => {
      const replies = [await chat(), await chat(), await chat()];
      await expectAction[action](replies, id);
    });
  });

  const expectAction: Readonly<Record<LimitAction, (replies: HarnessReply[], id: string) => Promise<void>>> = {
    refuse: (replies) => Promise.resolve(expect(replies.map(({ status }) => status)).toEqual([200, 412, 412])),
    fallback: (replies) => {
      expect(replies.map(({ status, headers }) => [status, headers['x-weir-fallback-model'] ?? null])).toEqual([
        [200, null],
        [200, 'sandbox/chat-free'],
        [200, 'sandbox/chat-free'],
      ]);
      return Promise.resolve();
    },
    alert: async (replies, id) => {
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      await expectCounted(id, 'requests', replies);
    },
  };

  test('all that limits count is what the usage interface shows', async () => {
    await withLimit(limitOf('tokens', { amount: '100000' }), async (id) => {
      const before = await readKeyUsage();
      const replies = await many(6);
      await expectCounted(id, 'tokens', replies);
      const { input, output, requests } = addUp(replies);
      const after = await until('usage', readKeyUsage, (now) => now.requests - before.requests >= requests);
      expect({ tokens: after.tokens - before.tokens, requests: after.requests - before.requests }).toEqual({
        ...{ tokens: input + output, requests },
      });
    });
  });

  async function readKeyUsage(): Promise<{ requests: number; tokens: number }> {
    const { usage } = (await must(
      `GET /v1/manage/apikey/${caller.keyId}/usage?start=${new Date().toISOString().slice(0, 10)}T00:00:00Z`,
    )) as {
      usage: Record<string, { total_requests: number; total_tokens: number }>;
    };
    return Object.values(usage).reduce(
      (sum, day) => ({
        requests: sum.requests + day.total_requests,
        tokens: sum.tokens + day.total_tokens,
      }),
      { requests: 0, tokens: 0 },
    );
  }

  // The last: the process that serves is another one afterwards.
  test('a worker that is killed leaves no place taken for ever, and nothing is counted twice', async () => {
    await withLimit(limitOf('concurrent_streams'), async () => {
      const open = await Promise.all([openStream(), openStream()]);
      expect(open.map(({ status }) => status)).toEqual([200, 200]);
      await gateway.killWorker();
      const killedAt = Date.now();
      await until('both places', async () => (await Promise.all([isServed(), isServed()])).every(Boolean), Boolean);
      expect(Date.now() - killedAt).toBeLessThan(within.killedWithinMs);
    });
  }, 40_000);
}

/** What is committed: where nothing is yet, no window is listed. */
function readUsed(limit: Record<string, unknown> | undefined): unknown {
  const [fill] = (limit?.['usage'] ?? []) as { used?: string }[];
  return fill?.used ?? '-1';
}
