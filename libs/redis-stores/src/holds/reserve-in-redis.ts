import type { HoldStore, ReserveAnswer, ReserveLimit, ReserveRequest } from '@weir/limits';
import type { Redis } from '../client/create-redis';
import { createScript, type PreparedScript } from '../client/create-script';
import { RESERVE } from './reserve-script';
import { factsOf, floorStored, fromStored, keysOf, pairsOf, startOf, toStored } from './scopes/scope-facts';
import type { HoldGeneration, TrustedCounters } from './scopes/trusted-counters';

/** The script with the keys that it asks about, and the scopes in their order. */
type Question = { readonly run: PreparedScript; readonly scopes: readonly string[] };

/** What a reservation says of its limits. */
type Reservation = {
  readonly organizationId: string;
  readonly limits: string;
  /** Without the earlier steps of rolling windows, of which one sum is known. */
  readonly short: Question;
  /** With them; made where it is needed. */
  whole: Question | undefined;
};

/** The sum of earlier steps is not known, or not right any more. */
const ASK_ALL = 2;

export function createReserve(redis: Redis, generation: HoldGeneration): HoldStore['reserve'] {
  const script = createScript(redis, RESERVE);
  const known = new WeakMap<ReserveRequest['limits'], Reservation>();
  const question = ({ organizationId, limits }: ReserveRequest, isWhole: boolean): Question => {
    const asked = limits.map(({ scope, past = [] }) => ({ scope, past: isWhole || factsOf(scope).step === null ? past : [] }));
    const keys = asked.flatMap(({ scope, past }) => [...keysOf(organizationId, [scope]), ...pairsOf(organizationId, past)]);
    return { run: script.prepare(keys, { isTimed: true }), scopes: asked.flatMap(({ scope, past }) => [scope, ...past]) };
  };
  const prepare = (request: ReserveRequest): Reservation => {
    const { organizationId, limits } = request;
    const described = limits.map(describeLimit).join(' ');
    const reservation = { organizationId, limits: described, short: question(request, false), whole: undefined };
    known.set(limits, reservation);
    return reservation;
  };
  const ask = async ({ run }: Question, text: string, organizationId: string, { node }: TrustedCounters): Promise<number | Reply> => {
    try {
      return (await run(text, node)) as number | Reply;
    } catch (error) {
      throw generation.explain(organizationId, error);
    }
  };
  return async (request) => {
    const { organizationId, limits } = request;
    const found = generation.require(organizationId);
    const counters = found instanceof Promise ? await found : found;
    let reservation = known.get(limits);
    if (reservation?.organizationId !== organizationId) reservation = prepare(request);
    const head = `${request.holdId} ${request.ttlMs} ${generation.reportedMs()} ${counters.id} ${request.isShown === true ? 1 : 0}`;
    let rest = String(limits.length);
    for (let at = 0; at < limits.length; at += 1) rest += describeAmounts(request, at);
    rest += ` ${reservation.limits}`;
    let asked = reservation.short;
    let reply = await ask(asked, `${head} 0 ${rest}`, organizationId, counters);
    if (reply === ASK_ALL) {
      asked = reservation.whole ??= question(request, true);
      reply = await ask(asked, `${head} 1 ${rest}`, organizationId, counters);
    }
    if (typeof reply === 'number') return { kind: 'held', amounts: request.amounts };
    const answer = readAnswer(request, asked.scopes, reply);
    // Either no one has asked for these scopes yet, or they are gone: that has to be known before they are seeded.
    if (answer.kind === 'unseeded') {
      await generation.learn(organizationId);
      return { ...answer, generation: (await generation.require(organizationId)).id };
    }
    return answer;
  };
}

function describeLimit({ scope, max, past = [] }: ReserveLimit): string {
  const { life, kind } = factsOf(scope);
  const first = startOf(past.at(-1) ?? scope);
  return `${max === null ? '-' : floorStored(scope, max)} ${life} ${kind} ${startOf(scope)} ${first} ${past.length}`;
}

function describeAmounts({ limits, amounts, leasts }: ReserveRequest, at: number): string {
  const { scope } = limits[at] as ReserveLimit;
  const amount = amounts[at] ?? 0n;
  const stored = toStored(scope, amount);
  return ` ${stored} ${leasts[at] === amount ? stored : toStored(scope, leasts[at] ?? 0n)}`;
}

type Reply = readonly [number, ...(string | number)[]];

function readAnswer({ limits, amounts, isShown }: ReserveRequest, scopes: readonly string[], [kind, ...rest]: Reply): ReserveAnswer {
  if (kind === -1) return { kind: 'unseeded', scopes: rest.map((place) => scopes[Number(place) - 1] ?? '') };
  if (kind === 0) {
    const scope = limits[Number(rest[0]) - 1]?.scope ?? '';
    return { kind: 'refused', scope, remaining: fromStored(scope, rest[1]) };
  }
  const held = limits.map(({ scope }, at) => {
    const amount = fromStored(scope, rest[at]);
    return amount < (amounts[at] ?? 0n) ? amount : (amounts[at] ?? 0n);
  });
  if (isShown !== true || rest.length < 2 * limits.length) return { kind: 'held', amounts: held };
  const remaining = limits.map(({ scope, max }, at) => (max === null ? null : fromStored(scope, rest[limits.length + at])));
  return { kind: 'held', amounts: held, remaining };
}
