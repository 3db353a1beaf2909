import { buildChatBody, writePrompt } from './build-chat-body';
import { beginReply, lacksCost, type Message, type Reply, type Round } from './conversation';
import { describeReply } from './describe-reply';
import { EMPTY_DRAFT, type Draft } from './draft';
import { findCost } from './find-cost';
import { onForget } from './forget-playground';
import { readKept, writeKept, type Kept } from './keep-session';
import type { ReadBody } from './read-chat-body';
import { sendChat } from './send-chat';
import type { Model } from '../models/filter-models';

export type ChatState = Kept & {
  /** False where the tab cannot remember all of it. */
  readonly isKept: boolean;
  /** What could not be taken over of a body from elsewhere. */
  readonly leftOut: readonly string[] | undefined;
  /** The reply that ended last, to be read aloud. */
  readonly news: string;
};

/** A model in its place: the first, the second or the third. */
export type Lane = { readonly index: number; readonly model: string; readonly known: Model | undefined };

const KEEP_AFTER_MS = 400;

/** The playground's conversations. They go on while other pages are looked at. */
export class ChatStore {
  readonly keyId: string;
  #state: ChatState;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  constructor(keyId: string) {
    this.keyId = keyId;
    const kept = readKept(keyId) ?? { draft: EMPTY_DRAFT, lanes: [], models: [] };
    this.#state = { ...kept, isKept: true, leftOut: undefined, news: '' };
    this.#findCosts(kept.lanes.flat());
  }

  readonly read = (): ChatState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change(draft: Partial<Draft>): void {
    this.#set({ draft: { ...this.#state.draft, ...draft } });
  }

  /** Remembers who is asked. A model that joins begins with the conversation of the first. */
  place(models: readonly string[]): void {
    if (models.join('\n') === this.#state.models.join('\n') && this.#state.lanes.length >= models.length) return;
    const [first = []] = this.#state.lanes;
    const copy = first.map((round) => ({ ...round, isCopied: true }));
    const lanes = models.map((_, index) => this.#state.lanes[index] ?? copy);
    this.#set({ models, lanes: [...lanes, ...this.#state.lanes.slice(models.length)] });
  }

  removeLane(index: number): void {
    for (const { id } of this.#state.lanes[index] ?? []) this.#running.get(id)?.abort();
    this.#set({ lanes: this.#state.lanes.toSpliced(index, 1), models: this.#state.models.toSpliced(index, 1) });
  }

  /** Sends the prompt to all lanes; what was written goes from the draft into the conversations. */
  send(lanes: readonly Lane[]): void {
    const message = writePrompt(this.#state.draft);
    if (message === undefined) return;
    for (const lane of lanes) this.#add(lane, [message]);
    this.change({ prompt: '', attachments: [] });
  }

  sendResults(lane: Lane, results: readonly Message[]): void {
    this.#add(lane, results);
  }

  /** Sends the last round of a lane again, in the place of what came. */
  again(lane: Lane): void {
    const rounds = this.#state.lanes[lane.index] ?? [];
    const last = rounds.at(-1);
    if (last === undefined) return;
    this.#setLane(lane.index, rounds.slice(0, -1));
    this.#add(lane, last.sent);
  }

  stop(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  /** A new conversation, with the same settings. */
  clear(): void {
    this.stop();
    this.#set({ lanes: this.#state.lanes.map(() => []), leftOut: undefined });
  }

  /** What was left out has been read. */
  acknowledge(): void {
    this.#set({ leftOut: undefined });
  }

  takeOver({ draft, rounds, leftOut, model }: ReadBody): void {
    this.stop();
    this.#set({ draft, lanes: [rounds], models: model === undefined ? [] : [model], leftOut });
  }

  #add(lane: Lane, sent: readonly Message[]): void {
    this.#count += 1;
    const round: Round = { id: `${Date.now()}-${this.#count}`, sent };
    const rounds = [...(this.#state.lanes[lane.index] ?? []), round];
    const body = buildChatBody({ ...lane, draft: this.#state.draft, rounds });
    this.#setLane(lane.index, [...rounds.slice(0, -1), { ...round, reply: beginReply(lane.model) }]);
    const controller = new AbortController();
    this.#running.set(round.id, controller);
    const show = createPacer((reply) => this.#setReply(round.id, reply));
    void sendChat(body, { signal: controller.signal, onReply: show.later }).then((reply) => {
      show.cancel();
      this.#running.delete(round.id);
      this.#setReply(round.id, reply);
      this.#set({ news: describeReply(reply) });
      this.#findCosts([{ ...round, reply }]);
    });
  }

  /** Asks what replies have cost that did not say it: the stopped, the broken and the refused. */
  #findCosts(rounds: readonly Round[]): void {
    for (const { id, reply } of rounds) {
      if (reply === undefined || !lacksCost(reply)) continue;
      void findCost(reply.served?.requestId ?? '').then((lateCost) => this.#setReply(id, { ...reply, lateCost }));
    }
  }

  #setReply(id: string, reply: Reply): void {
    const lanes = this.#state.lanes.map((rounds) =>
      rounds.some((round) => round.id === id) ? rounds.map((round) => (round.id === id ? { ...round, reply } : round)) : rounds,
    );
    this.#set({ lanes });
  }

  #setLane(index: number, rounds: readonly Round[]): void {
    const lanes = Array.from({ length: Math.max(index + 1, this.#state.lanes.length) }, (_, place) => this.#state.lanes[place] ?? []);
    this.#set({ lanes: lanes.with(index, rounds) });
  }

  #set(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
    this.#keeping ??= setTimeout(() => this.keep(), KEEP_AFTER_MS);
  }

  /** Writes down what there is, for a reload. */
  keep(): void {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    const { draft, lanes, models, isKept } = this.#state;
    const isKeptNow = writeKept(this.keyId, { draft, lanes, models });
    if (isKeptNow === isKept) return;
    this.#state = { ...this.#state, isKept: isKeptNow };
    for (const listener of this.#listeners) listener();
  }

  /** Ends everything, with nothing to be written down any more. */
  end(): void {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => undefined, 0);
    this.stop();
    this.#listeners.clear();
  }
}

/** Above these, drawing a text takes longer than a frame, so that it is drawn less often. */
const LONG = 40_000;
const LONG_PAUSE_MS = 250;

/** Shows the latest of many replies once in a frame. */
function createPacer(show: (reply: Reply) => void): { later(reply: Reply): void; cancel(): void } {
  let latest: Reply | undefined;
  let frame = 0;
  let shownAt = 0;
  const draw = (now: number): void => {
    frame = 0;
    if (latest === undefined) return;
    const length = latest.text.length + latest.reasoning.length;
    if (length > LONG && now - shownAt < LONG_PAUSE_MS) {
      frame = requestAnimationFrame(draw);
      return;
    }
    shownAt = now;
    show(latest);
  };
  return {
    later: (reply) => {
      latest = reply;
      if (frame === 0) frame = requestAnimationFrame(draw);
    },
    cancel: () => cancelAnimationFrame(frame),
  };
}

let current: ChatStore | undefined;

/** The conversations of a key; another key's end. */
export function openChatStore(keyId: string): ChatStore {
  if (current?.keyId === keyId) return current;
  current?.end();
  current = new ChatStore(keyId);
  return current;
}

onForget(() => {
  current?.end();
  current = undefined;
});
