import { createRandom, type Random } from '@weir/chaos';
import { addUsd } from '@weir/gateway-e2e';
import { KINDS, REPEATED, type Asked, type KeyName, type Kind } from './request-kinds';
import { sendAsked, type Answer } from './send-asked';

export type Keys = Readonly<Record<KeyName, { readonly id: string; readonly apiKey: string }>>;

/** What clients saw so far. */
export type Tally = {
  requests: number;
  running: number;
  /** Not sent, because too many were running. */
  skipped: number;
  /** Refused because the gateway, or the machine under it, was busy. */
  shed: number;
  readonly byKind: Map<string, number>;
  /** Replies that did not match their requests, and the first few of them. */
  unexpected: number;
  readonly examples: string[];
  /** Sums of what replies said they cost, in USD. */
  readonly seen: Record<KeyName, string>;
};

type SoakLoad = { readonly tally: Tally; stop(): Promise<Tally> };

const TICK_MS = 20;
const RUNNING_MAX = 1_000;
const EXAMPLES_MAX = 20;

/** Sends a mixture at a steady rate whether or not replies come, but never more than a thousand at a time. */
export function startSoakLoad(url: string, keys: Keys, perSecond: number): SoakLoad {
  const tally: Tally = {
    requests: 0,
    running: 0,
    skipped: 0,
    shed: 0,
    byKind: new Map(),
    unexpected: 0,
    examples: [],
    seen: { plain: '0', guarded: '0', leaving: '0' },
  };
  const pending = new Set<Promise<void>>();
  const startedAt = Date.now();
  let due = 0;
  const timer = setInterval(() => {
    for (const until = ((Date.now() - startedAt) * perSecond) / 1000; due < until; due += 1) {
      if (pending.size >= RUNNING_MAX) {
        tally.skipped += 1;
        continue;
      }
      const ended: Promise<void> = actOut(due + 1, { url, keys, tally }).then(() => void pending.delete(ended));
      pending.add(ended);
      tally.running = pending.size;
    }
  }, TICK_MS);
  return {
    tally,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(pending);
      tally.running = 0;
      return tally;
    },
  };
}

type Stage = { readonly url: string; readonly keys: Keys; readonly tally: Tally };

const ALL = [...KINDS, REPEATED];
const WEIGHTS = ALL.reduce((sum, { weight }) => sum + weight, 0);

function pickKind(random: Random): Kind {
  let at = random() * WEIGHTS;
  return ALL.find(({ weight }) => (at -= weight) < 0) ?? REPEATED;
}

/** One thing a client does, some of them several calls. */
async function actOut(seed: number, stage: Stage): Promise<void> {
  const random = createRandom(seed);
  const kind = pickKind(random);
  const asked = kind.ask(seed, random);
  const answer = await call(kind, asked, stage);
  if (kind === REPEATED) {
    const again = await call(kind, asked, stage);
    if (!again.isReplayed && !isShed(answer) && !isShed(again)) complain(stage.tally, kind, 'sent again, it was not replayed');
  }
  if (kind.name === 'file' && answer.status === 200) await useFile(kind, answer.text, stage);
}

/** A file is read and deleted, so that a long run does not fill the disk. */
async function useFile(kind: Kind, text: string, stage: Stage): Promise<void> {
  const { id } = JSON.parse(text) as { id: string };
  await call(kind, { method: 'GET', path: `/v1/files/${id}/content` }, stage);
  await call(kind, { method: 'DELETE', path: `/v1/files/${id}` }, stage);
}

async function call(kind: Kind, asked: Asked, { url, keys, tally }: Stage): Promise<Answer> {
  const answer = await sendAsked(url, keys[kind.key].apiKey, asked);
  tally.requests += 1;
  tally.byKind.set(kind.name, (tally.byKind.get(kind.name) ?? 0) + 1);
  if (answer.cost !== undefined && !answer.isReplayed) tally.seen[kind.key] = addUsd([tally.seen[kind.key], answer.cost]);
  if (isShed(answer)) tally.shed += 1;
  const fault = findFault(kind, answer);
  if (fault !== undefined) complain(tally, kind, fault);
  return answer;
}

function isShed({ status, text }: Answer): boolean {
  return status === 503 && text.includes('"overloaded');
}

function findFault(kind: Kind, answer: Answer): string | undefined {
  const { status, text, cost, hasLeft, failure } = answer;
  if (failure !== undefined) return failure;
  if (hasLeft || isShed(answer)) return undefined;
  if (status === null || !kind.statuses.includes(status)) return `status ${status}: ${text.slice(0, 300)}`;
  if (kind.isPriced && cost === undefined) return `no cost in its ${text.length} characters: …${text.slice(-300)}`;
  return undefined;
}

function complain(tally: Tally, { name }: Kind, fault: string): void {
  tally.unexpected += 1;
  if (tally.examples.length < EXAMPLES_MAX) tally.examples.push(`${name}: ${fault}`);
}
