import { connect } from 'node:net';
import type { UsageEvent } from '@weir/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { familySlack } from '../check/family-slack';
import { eventsOf, readEvents } from '../check/read-money';
import type { Rig } from '../rig/start-rig';
import { encodeBody, type ClientRequest } from '../load/client-request';
import { CHAT_ENDPOINTS, CHAT_MODELS, MODELS, PATHS, type Endpoint } from '../load/models';
import type { ClientResult } from '../load/send-request';
import { sendAll } from '../load/start-load';
import { describePrompt } from '../provider/plan-reply';
import { accountsOf, expectThat, type Scenario } from './scenario';

type Fate = 'ok' | 'client abort' | 'upstream 500' | 'upstream cut';

const FATES: readonly Fate[] = ['ok', 'client abort', 'upstream 500', 'upstream cut'];
/** Far more than is waited for, so that what is cut is cut in the middle. */
const LONG = { outputTokens: 250, gapMs: 10 };

type Case = { readonly request: ClientRequest; readonly fate: Fate };

function planCase(rig: Rig, shape: { endpoint: Endpoint; model: string; isStream: boolean; fate: Fate }): Case {
  const { fate, ...rest } = shape;
  const seed = rig.nextSeed();
  const isLeft = fate === 'client abort';
  const wishes = {
    ...(isLeft && shape.isStream ? LONG : { outputTokens: 30 }),
    ...(isLeft && !shape.isStream ? { firstByteMs: 600 } : {}),
    ...(fate === 'upstream 500' ? { ending: 'error' as const } : fate === 'upstream cut' ? { ending: 'cut' as const } : {}),
  };
  const leaving = !isLeft ? {} : shape.isStream ? { leaveAfterTokens: 20 } : { leaveOnce: () => rig.provider.isRunning(seed) };
  return { fate, request: { seed, ...rest, ...leaving, prompt: describePrompt(seed, wishes) } };
}

/** Every endpoint, native and translated, streamed and whole, with every fate. */
function planMatrix(rig: Rig): Case[] {
  const shapes = CHAT_ENDPOINTS.flatMap((endpoint) =>
    CHAT_MODELS.flatMap(({ id: model }) => [true, false].map((isStream) => ({ endpoint, model, isStream }))),
  );
  const embeddings = { endpoint: 'embeddings' as const, model: MODELS.embedding.id, isStream: false };
  return [...shapes, embeddings].flatMap((shape) => FATES.map((fate) => planCase(rig, { ...shape, fate })));
}

/** What became of an attempt, in the words of its event. A whole reply is billed anyway when its caller leaves. */
function expectedStatus({ fate, request }: Case): UsageEvent['status'] {
  if (fate === 'upstream 500') return 'upstream_error';
  if (fate === 'upstream cut') return 'upstream_cut';
  return fate === 'client abort' && request.isStream ? 'client_closed' : 'ok';
}

const IN_BAND: Readonly<Record<string, RegExp>> = {
  'chat-completions': /data: \{"error":/,
  messages: /event: error\n/,
  responses: /"type":\s*"(response\.failed|error)"/,
};

export const matrix: Scenario = {
  id: 'M6',
  title: 'one event per attempt for every endpoint, native and translated, streamed and whole, whatever becomes of it (C4, R5)',
  run: async ({ rig }) => {
    const cases = planMatrix(rig);
    const results = await sendAll(
      targetOf(rig),
      cases.map(({ request }) => request),
    );
    rig.note(results);
    const verdict = await rig.verify();
    const events = await readEvents(rig.pool);
    const resultOf = new Map(results.map((result) => [result.request.seed, result]));
    for (const each of cases) {
      const { request, fate } = each;
      const [event, ...more] = eventsOf(events, request.seed);
      const name = `${request.endpoint} to ${request.model}, ${request.isStream ? 'streamed' : 'whole'}, ${fate} (seed ${request.seed})`;
      expectThat(more.length === 0 && event !== undefined, `one event for ${name}`);
      expectThat(event?.status === expectedStatus(each), `${name} is recorded as ${expectedStatus(each)}, not ${event?.status}`);
      expectThat(event?.logical === true, `${name} counts one request`);
      const text = resultOf.get(request.seed)?.text ?? '';
      if (fate === 'upstream cut' && request.isStream)
        expectThat(
          IN_BAND[request.endpoint]?.test(text) === true,
          `R5: ${name} ends with an error of its dialect, not with ${text.slice(-300)}`,
        );
    }
    return { verdict, findings: { cases: cases.length } };
  },
};

export const leaveAbort: Scenario = {
  id: 'C1',
  title: 'a caller who leaves cuts a provider that stops billing then, and pays for what was made so far',
  run: async ({ rig }) => {
    const shapes = CHAT_ENDPOINTS.flatMap((endpoint) =>
      CHAT_MODELS.map(({ id: model }) => ({ endpoint, model, isStream: true, fate: 'client abort' as const })),
    );
    const cases = shapes.map((shape) => planCase(rig, shape));
    const results = await sendAll(
      targetOf(rig),
      cases.map(({ request }) => request),
    );
    rig.note(results);
    const verdict = await rig.verify();
    const events = await readEvents(rig.pool);
    const delays: number[] = [];
    for (const result of results) {
      const { event, entry } = accountsOf(rig, events, result);
      const made = entry.producedTokens;
      const delayMs = entry.endedAt - (result.leftAt ?? 0);
      delays.push(delayMs);
      // What was made between the two moments may have been read or not.
      const tolerance = made * 0.02 + FRAMES_ON_THE_WAY + delayMs / LONG.gapMs + familySlack(event, made);
      expectThat(
        event.status === 'client_closed' && entry.outcome === 'left',
        `seed ${result.request.seed} is recorded as left (${event.status}, ${entry.outcome})`,
      );
      expectThat(
        Math.abs(event.units.out - made) <= tolerance,
        `seed ${result.request.seed}: ${event.units.out} tokens billed of ${made} made`,
      );
    }
    const slowest = Math.max(...delays);
    expectThat(slowest <= CUT_MS_MAX, `the provider is cut within ${CUT_MS_MAX} ms, not ${slowest}`);
    return { verdict, findings: { 'slowest cut, ms': slowest } };
  },
};

/** Tokens that were in a buffer between the two when the cut came, and frames without a token. */
const FRAMES_ON_THE_WAY = 12;
/** Promised are 250 ms; a test machine that does ten things at once gets more. */
const CUT_MS_MAX = 1_500;

export const leaveDrain: Scenario = {
  id: 'C2',
  title: 'a caller who leaves a provider that bills the whole answer pays exactly that answer',
  run: async ({ rig }) => {
    const model = MODELS.drained.id;
    const streams = CHAT_ENDPOINTS.map((endpoint) => planCase(rig, { endpoint, model, isStream: true, fate: 'client abort' }).request);
    const seed = rig.nextSeed();
    const early: ClientRequest = {
      ...streams[0],
      seed,
      endpoint: 'chat-completions',
      model,
      isStream: true,
      prompt: describePrompt(seed, { firstByteMs: 700 }),
      leaveOnce: () => rig.provider.isRunning(seed),
    };
    const results = await sendAll(targetOf(rig), [...streams, early]);
    rig.note(results);
    const verdict = await rig.verify();
    const events = await readEvents(rig.pool);
    for (const result of results) {
      const { event, entry } = accountsOf(rig, events, result);
      const [reported, billed] = [`${event.units.in}+${event.units.out}`, `${entry.billedInput}+${entry.billedOutput}`];
      expectThat(reported === billed, `seed ${result.request.seed}: charged for ${reported}, the provider bills ${billed}`);
    }
    return { verdict, findings: { drains: results.length } };
  },
};

export const leaveEarlyOrLate: Scenario = {
  id: 'C3',
  title: 'a caller who leaves before the request is whole costs nothing; one who leaves after the last byte pays as usual',
  run: async ({ rig }) => {
    const seeds = Array.from({ length: 6 }, () => rig.nextSeed());
    const requests = seeds.map((seed): ClientRequest => ({
      seed,
      endpoint: 'chat-completions',
      model: MODELS.chat.id,
      isStream: true,
      prompt: describePrompt(seed),
    }));
    await Promise.all(requests.slice(0, 4).map((request, index) => leaveDuringUpload(rig, request, index / 4)));
    const last = await sendAll(targetOf(rig), requests.slice(4));
    await pause(200);
    const never = requests.slice(0, 4).map((request): ClientResult => ({
      request,
      status: null,
      isComplete: false,
      cost: undefined,
      text: '',
      startedAt: 0,
      firstByteMs: null,
      leftAt: 0,
    }));
    rig.note([...last, ...never]);
    const verdict = await rig.verify();
    const events = await readEvents(rig.pool);
    for (const { request } of never)
      expectThat(eventsOf(events, request.seed).length === 0, `no event for seed ${request.seed}, which was never whole`);
    for (const { request } of last)
      expectThat(eventsOf(events, request.seed)[0]?.status === 'ok', `an ordinary event for seed ${request.seed}`);
    const services = ['edge-router', 'chat-translator'] as const;
    for (const service of services) expectThat(rig.harness.services[service].child.exitCode === null, `${service} lives on`);
    return { verdict, findings: {} };
  },
};

/** Sends a share of the request's body and hangs up. */
function leaveDuringUpload(rig: Rig, request: ClientRequest, share: number): Promise<void> {
  const body = encodeBody(request);
  const { host, port, hostname } = new URL(rig.harness.url);
  const head = [
    `POST ${PATHS[request.endpoint]} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${rig.harness.apiKey}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, Math.floor(body.length * share))}`, () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

function targetOf({ harness }: Rig): { url: string; apiKey: string } {
  return { url: harness.url, apiKey: harness.apiKey };
}
