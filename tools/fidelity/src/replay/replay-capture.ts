import { createOriginalBody } from '@weir/canonical';
import type { Attempt, ChatDialect } from '@weir/contracts';
import type { ModelCatalog } from '@weir/model-catalog';
import { replyFromCapture, type ReplyScript } from '@weir/testing';
import { askInDialect } from './ask-in-dialect';
import type { ChatCapture } from '../captured/chat-capture';
import { readCapture, statusOf } from '../captured/read-capture';
import { chooseAttempt } from './choose-model';
import { compareReplies, type Finding } from './compare-replies';
import { KNOWN_DIFFERENCES, type KnownDifference } from './known-differences';
import { readReceived } from '../received/read-received';
import type { ReplayHarness } from './replay-harness';
import type { ReplayedCapture } from './replayed-capture';
import type { PlainReply } from '../reading/plain-reply';

export type ReplayResult = ReplayedCapture & {
  readonly failures: readonly Finding[];
  readonly explained: readonly { readonly finding: Finding; readonly by: KnownDifference }[];
};

/** Replays one capture to a caller of one dialect and says what differs, and which of it is known. */
export async function replayCapture(
  { harness, catalog }: { harness: ReplayHarness; catalog: ModelCatalog },
  chat: ChatCapture,
  dialect: ChatDialect,
): Promise<ReplayResult> {
  const expected = readCapture(chat);
  const attempt = chooseAttempt(chat, chat.provider, catalog);
  const body = askInDialect(dialect, expected, attempt.modelId, chat.isStream);
  const lane = findLane(harness, { attempt, catalog, dialect, body });
  const direct = lane === 'express' ? await readDirectly(chat, dialect, expected) : [];
  const replayed: ReplayedCapture = { chat, dialect, lane, expected, direct };
  const findings = await findDifferences(harness, replayed, { attempt, body });
  const judged = findings.map((finding) => ({ finding, by: KNOWN_DIFFERENCES.find((known) => known.explains(finding, replayed)) }));
  return {
    ...replayed,
    failures: judged.flatMap(({ finding, by }) => (by === undefined ? [finding] : [])),
    explained: judged.flatMap(({ finding, by }) => (by === undefined ? [] : [{ finding, by }])),
  };
}

type Asked = { readonly attempt: Attempt; readonly body: Record<string, unknown> };

/** A stream is replayed frame by frame, and once more with all of its frames in one chunk. */
async function findDifferences(harness: ReplayHarness, replayed: ReplayedCapture, asked: Asked): Promise<Finding[]> {
  const { capture, events } = replayed.chat;
  const script = { ...replyFromCapture(capture), status: statusOf(capture, events) };
  const findings = await findAfter(harness, replayed, { ...asked, script });
  if (!('stream' in script)) return findings;
  const atOnce = await findAfter(harness, replayed, { ...asked, script: { ...script, stream: [script.stream.join('')] } });
  const more = atOnce.filter(({ problem }) => !findings.some((finding) => finding.problem === problem));
  return [...findings, ...more.map((finding) => ({ ...finding, isAtOnce: true }))];
}

type Played = Asked & { readonly script: ReplyScript };

async function findAfter(
  harness: ReplayHarness,
  { chat, dialect, lane, expected }: ReplayedCapture,
  { attempt, body, script }: Played,
): Promise<Finding[]> {
  const { received, events } = await harness.replay({ dialect, attempt, isStream: chat.isStream, body }, script);
  const vendorStream = lane === 'express' && isOwnDialect(chat.provider, dialect) ? chat.capture.body.toString() : null;
  try {
    return compareReplies({ expected, seen: await readReceived(received), received, vendorStream, prices: attempt.prices, events });
  } catch (error) {
    return [{ feature: 'shape', problem: `the official client throws: ${String(error)}` }];
  }
}

/** Whether a provider's dialect is of its own making: only OpenAI serves its chat completions as they were published. */
function isOwnDialect(provider: string, dialect: ChatDialect): boolean {
  return dialect === 'chat-completions' ? provider === 'openai' : true;
}

async function readDirectly({ capture, events, isStream }: ChatCapture, dialect: ChatDialect, expected: PlainReply): Promise<Finding[]> {
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' };
  const received = { dialect, isStream, status: statusOf(capture, events), headers, body: capture.body.toString() };
  try {
    return compareReplies({
      expected,
      seen: await readReceived(received),
      received,
      vendorStream: received.body,
      prices: null,
      events: [],
    });
  } catch (error) {
    return [{ feature: 'shape', problem: `the official client throws: ${String(error)}` }];
  }
}

type LaneQuestion = Asked & { readonly catalog: ModelCatalog; readonly dialect: ChatDialect };

function findLane({ providers }: ReplayHarness, { attempt, catalog, dialect, body }: LaneQuestion): ReplayedCapture['lane'] {
  const express = providers.find(attempt.providerId)?.express ?? null;
  const record = catalog.find(attempt.modelId);
  const original = createOriginalBody(JSON.stringify(body));
  if (express?.dialect !== dialect || record === undefined || original === undefined) return 'translated';
  return express.suits?.(original, { attempt, model: catalog.facts(record) }) === false ? 'translated' : 'express';
}
