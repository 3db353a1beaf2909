import { NO_USAGE, type Usage } from '@weir/canonical';
import type { Passport, UsageStatus } from '@weir/contracts';
import { boundChatUsage, measurePrompt, readAskedOutput, type ChatMost } from '@weir/limits';
import type { ClosingFacts, Metering, OpenAttempt, RequestMeter } from '@weir/meter';
import type { RequestFacts } from '../oracle/oracle';
import type { Reply, Script } from '../load/script';
import type { SimProcess } from '../physics/sim-process';
import type { Ending, World } from '../world/world';
import { writeBody } from '../load/write-body';

type Serving = {
  readonly world: World;
  readonly process: SimProcess;
  readonly metering: Metering;
  readonly meter: RequestMeter;
  readonly passport: Passport;
  readonly script: Script;
  readonly isGone: () => boolean;
};

type Outcome = Pick<ClosingFacts, 'usage' | 'status' | 'doubted'> & { readonly isFinal: boolean };

const PROVIDER_TIMEOUT_MS = 4_000;

/** The life of a request at a worker, by the product's meter: attempts in their order until one is the last. */
export async function serveRequest(serving: Serving): Promise<Ending> {
  const { world, meter, passport, process, metering } = serving;
  const { organizationId, apiKeyId } = passport.caller;
  world.grants.delete(passport.requestId);
  const request = world.oracle.arrived({ id: passport.requestId, organizationId, apiKeyId, hold: passport.hold, worker: process.name });
  let ending: Ending;
  try {
    meter.begin();
    ending = await tryAttempts(serving, request);
  } finally {
    meter.release();
    world.oracle.released(request);
  }
  const durable = metering.whenDurable();
  if (durable !== null) await durable;
  request.isSafe = true;
  return ending;
}

async function tryAttempts(serving: Serving, request: RequestFacts): Promise<Ending> {
  const { process, script, passport, isGone } = serving;
  if (script.queuedMs > 0) await process.pause(script.queuedMs);
  let costPico = 0n;
  for (let index = 0; ; index += 1) {
    const isLast = index + 1 === passport.attempts.length;
    const { outcome, receiptPico } = await tryAttempt(serving, request, index, isLast);
    costPico += receiptPico;
    if (outcome.isFinal || isLast || isGone()) return { status: outcome.status, costPico };
  }
}

async function tryAttempt(serving: Serving, request: RequestFacts, index: number, isLast: boolean) {
  const { world, process, meter, script, passport, isGone } = serving;
  const { oracle } = world;
  const reply = script.replies[index] as Reply;
  const attempt = meter.openAttempt(index, reply.promptTokens);
  oracle.begun(request, index, attempt.eventId);
  process.step(`call of provider ${index}`);
  oracle.sent(request, index);
  if (world.faults.isMutated('refund-on-timeout') && reply.headMs > 500) refund(serving);
  const outcome = await exchange(serving, attempt, reply, index);
  const isUncharged = !outcome.isFinal && passport.chargesFailures !== true;
  const isLogical = outcome.isFinal || isLast || isGone();
  const { usage, status, doubted } = outcome;
  const receipt = attempt.close({
    ...{ usage, status, isUncharged, isLogical },
    ...{ httpStatus: status === 'ok' ? 200 : null, errorOrigin: status === 'ok' ? null : 'provider' },
    ...(doubted === undefined ? {} : { doubted }),
  });
  oracle.closed(request, index, { ...receipt, requests: isLogical ? 1 : 0 });
  return { outcome, receiptPico: receipt.costPico };
}

/** What comes back for one call, as the product's lanes settle it. */
async function exchange(serving: Serving, attempt: OpenAttempt, reply: Reply, index: number): Promise<Outcome> {
  const { process, passport } = serving;
  const bounds = passport.hold?.bounds[index];
  const most = Math.min(reply.tokens, bounds?.outputTokens ?? Infinity);
  const estimate = (output: number): Usage => ({
    ...NO_USAGE,
    inputUncached: Math.min(reply.promptTokens, bounds?.promptTokens ?? Infinity),
    output: Math.min(output, bounds?.outputTokens ?? Infinity),
    source: 'estimate',
  });
  const fails = (status: UsageStatus, usage: Usage = NO_USAGE): Outcome => ({ usage, status, isFinal: false });
  if (reply.kind === 'silent') {
    await process.pause(PROVIDER_TIMEOUT_MS);
    return fails('timeout');
  }
  await process.pause(reply.headMs);
  if (reply.kind === 'refused') return fails('upstream_error');
  if (reply.kind === 'failed-with-usage') return fails('upstream_error', { ...estimate(most), source: 'provider' });
  attempt.noteFirstByte();
  const broken = await readPieces(serving, attempt, reply, most);
  if (broken !== undefined) {
    const { read, status } = broken;
    return serving.script.isStream ? { usage: estimate(read), status, isFinal: true } : fails(status);
  }
  if (reply.kind === 'unreported') return { usage: estimate(most), status: 'ok', isFinal: true };
  return { ...judge(serving, reply, most, index), status: 'ok', isFinal: true };
}

type Broken = { readonly read: number; readonly status: 'client_closed' | 'upstream_cut' };

/** The reply piece by piece; how far it came where its provider breaks off, or the caller of a stream has left. */
async function readPieces(
  { process, script, isGone }: Serving,
  attempt: OpenAttempt,
  reply: Reply,
  most: number,
): Promise<Broken | undefined> {
  for (let piece = 1; piece <= reply.pieces; piece += 1) {
    await process.pause(reply.pieceMs);
    const read = Math.floor((most * piece) / reply.pieces);
    if (script.isStream) attempt.progress(read);
    if (isGone() && script.isStream) return { read, status: 'client_closed' };
    if (reply.kind === 'cut' && piece * 2 >= reply.pieces) return { read, status: 'upstream_cut' };
  }
  return undefined;
}

/** The usage that a provider reports, cut to what the request explains where it is impossible. */
function judge({ script, passport }: Serving, reply: Reply, output: number, index: number): Pick<Outcome, 'usage' | 'doubted'> {
  const isImpossible = reply.kind === 'impossible';
  const reported: Usage = {
    ...NO_USAGE,
    inputUncached: (reply.promptTokens - reply.cachedTokens) * (isImpossible ? 1_000 : 1),
    cacheRead: reply.cachedTokens,
    output: isImpossible ? output * 50 + 100_000 : output,
  };
  const body = writeBody(script);
  const json = JSON.parse(body) as Record<string, unknown>;
  const asked = readAskedOutput(json, 'chat-completions');
  const heldOutput = passport.hold?.bounds[index]?.outputTokens;
  const most: ChatMost = {
    prompt: () => measurePrompt(json, body.length),
    asked: () => (heldOutput === undefined ? asked : { ...asked, tokens: Math.min(heldOutput, asked.tokens ?? Infinity) }),
    model: { contextWindow: null, maxOutputTokens: null, isSearching: false, isReasoning: false },
  };
  const usage = boundChatUsage(reported, most, output * 4);
  return usage === reported ? { usage } : { usage, doubted: { usage: reported } };
}

/** A mutation: what is held is given back although the attempt goes on. */
function refund({ world, passport: { hold, caller } }: Serving): void {
  if (hold === null) return;
  const { id: holdId, scopes } = hold;
  void world.counters.holds.settle({ organizationId: caller.organizationId, holdId, scopes, spent: scopes.map(() => 0n) });
}
