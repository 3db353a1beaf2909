import type { UsageEvent } from '@weir/contracts';
import { encodeBody, MAX_TOKENS } from '../load/client-request';
import { findModel } from '../load/models';
import type { ClientResult } from '../load/send-request';
import type { OracleEntry } from '../provider/start-sim-provider';
import { familySlack } from './family-slack';

type AttemptEvidence = {
  readonly result: ClientResult;
  readonly events: readonly UsageEvent[];
  /** Undefined when the request never reached the provider. */
  readonly oracle: OracleEntry | undefined;
};

/** Frames of a stream that carry no token: what is counted by frames may be so much too high. */
const EMPTY_FRAMES = 5;

/** The responses dialect repeats the whole text when a stream ends. */
const REPORTED_ONCE = /"delta":\s*"tok /g;

/** Endings of which all that was passed on is known; after a crash it is what was last noted. */
const MADE_AND_REPORTED: ReadonlySet<string> = new Set(['client_closed', 'upstream_cut', 'timeout']);

/** What is wrong with the accounts of one request; nothing when its client, its provider and its event agree. */
export function checkAttempt(evidence: AttemptEvidence): string[] {
  const [event] = evidence.events;
  const { result, oracle } = evidence;
  if (event === undefined) return result.isComplete ? ['its client saw the whole reply, and it has no event'] : [];
  const violations: string[] = [];
  if (result.isComplete && event.status !== 'ok') violations.push(`its client saw the whole reply, its event says ${event.status}`);
  if (result.isComplete && !isSameCost(result.cost, event.cost_p))
    violations.push(`its reply said ${result.cost ?? 'no cost'}, its event ${event.cost_p} p$`);
  if (oracle === undefined) return [...violations, ...checkUnsent(event)];
  return [...violations, ...(event.status === 'ok' ? checkExact(evidence, event, oracle) : checkBounds(evidence, event, oracle))];
}

/** Killed between the journal and the provider: charged for its prompt at most. */
function checkUnsent(event: UsageEvent): string[] {
  const isExplained = event.status === 'aborted_crash' || event.cost_p === '0';
  return isExplained && event.units.out === 0
    ? []
    : [`it never reached the provider, its event says ${event.status} for ${event.cost_p} p$`];
}

function checkExact({ result }: AttemptEvidence, event: UsageEvent, oracle: OracleEntry): string[] {
  const { inputPico, outputPico } = findModel(result.request.model);
  const output = result.request.endpoint === 'embeddings' ? 0 : oracle.billedOutput;
  const billed = BigInt(oracle.billedInput) * inputPico + BigInt(output) * outputPico;
  return BigInt(event.cost_p) === billed ? [] : [`the provider bills ${billed} p$, its event says ${event.cost_p} p$`];
}

function checkBounds({ result }: AttemptEvidence, event: UsageEvent, oracle: OracleEntry): string[] {
  const { inputPico, outputPico } = findModel(result.request.model);
  const { units } = event;
  const cost = BigInt(units.in) * inputPico + BigInt(units.out) * outputPico;
  if (BigInt(event.cost_p) !== cost) return [`its event's cost is not what its units cost: ${event.cost_p} for ${cost} p$`];
  const promptMax = Math.ceil(Buffer.byteLength(encodeBody(result.request)) / 3) + 1;
  if (units.in > promptMax) return [`charged for ${units.in} prompt tokens of at most ${promptMax}`];
  // An answer that is billed whole and cannot be waited for is charged as the most it could be, and flagged.
  const isAtMost = event.unit_source === 'estimate' && units.out === (result.request.maxTokens ?? MAX_TOKENS);
  const made = Math.max(oracle.producedTokens, oracle.billedOutput);
  const outputMax = made + EMPTY_FRAMES + familySlack(event, made);
  const read = result.text.match(result.request.endpoint === 'responses' ? REPORTED_ONCE : /tok /g)?.length ?? 0;
  const outputMin = MADE_AND_REPORTED.has(event.status) ? read * 0.98 - 1 : 0;
  if (units.out < outputMin) return [`charged for ${units.out} output tokens of ${read} that its caller read`];
  return units.out <= outputMax || isAtMost ? [] : [`charged for ${units.out} output tokens of ${oracle.producedTokens} made`];
}

/** The reply's number against the event's integer, without a float. */
export function isSameCost(reported: string | undefined, pico: string): boolean {
  if (reported === undefined) return false;
  const [digits = '', exponent = '0'] = reported.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = 12 + Number(exponent) - fraction.length;
  if (shift < 0) return false;
  return BigInt(whole + fraction) * 10n ** BigInt(shift) === BigInt(pico);
}
