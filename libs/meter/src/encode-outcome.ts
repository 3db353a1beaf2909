import type { UsageEvent, UsageUnits } from '@weir/contracts';

/** What becomes of an attempt. `createCrashCloser` knows what it is after a crash. */
export type Outcome = Pick<
  UsageEvent,
  | 'logical'
  | 'ended_at'
  | 'dur_ms'
  | 'ttft_ms'
  | 'units'
  | 'unit_source'
  | 'cost_p'
  | 'billed_p'
  | 'status'
  | 'http_status'
  | 'error_origin'
  | 'guardrail'
  | 'error_code'
  | 'traceparent'
  | 'uncharged'
  | 'doubted'
>;

/** The rest of an event's JSON, after its facts. Members whose values are words of our own need no quoting but quotes. */
export function encodeOutcome(outcome: Outcome): string {
  const { logical, units, status, unit_source: source, cost_p: cost, billed_p: billed } = outcome;
  const times = `"ended_at":${outcome.ended_at},"dur_ms":${outcome.dur_ms},"ttft_ms":${outcome.ttft_ms}`;
  const price = `"unit_source":"${source}","cost_p":"${cost}","billed_p":"${billed}"`;
  const end = `"status":"${status}","http_status":${outcome.http_status},"error_origin":${encodeWord(outcome.error_origin)}`;
  const guardrail = `"guardrail":${encodeWord(outcome.guardrail)}`;
  return `,"logical":${logical},${times},"units":${encodeUnits(units)},${price},${end},${guardrail}${encodeUnusual(outcome)}}`;
}

/** Of most chats. */
const NO_MEDIA = '"audio_in":0,"audio_out":0,"images":0,"chars":0,"ms_audio":0,"searches":0';

export function encodeUnits(units: UsageUnits): string {
  const { in: input, out, cached_in: cached, cache_w5m: write5m, cache_w1h: write1h, reasoning } = units;
  const { audio_in: audioIn, audio_out: audioOut, images, chars, ms_audio: audioMs, searches } = units;
  const sum = input + out + cached + write5m + write1h + reasoning + audioIn + audioOut + images + chars + audioMs + searches;
  // What JSON has no number for, and what is rare, goes the general way.
  const { image_in: imageIn, image_out: imageOut, searches_medium: medium, searches_high: high } = units;
  const isPlain = imageIn === undefined && imageOut === undefined && medium === undefined && high === undefined;
  if (!Number.isFinite(sum) || !isPlain) return JSON.stringify(units);
  const tokens = `"in":${input},"out":${out},"cached_in":${cached},"cache_w5m":${write5m},"cache_w1h":${write1h},"reasoning":${reasoning}`;
  const isText = audioIn === 0 && audioOut === 0 && images === 0 && chars === 0 && audioMs === 0 && searches === 0;
  if (isText) return `{${tokens},${NO_MEDIA}}`;
  return `{${tokens},"audio_in":${audioIn},"audio_out":${audioOut},"images":${images},"chars":${chars},"ms_audio":${audioMs},"searches":${searches}}`;
}

function encodeWord(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}

function encodeUnusual({ uncharged, error_code: errorCode, traceparent, doubted }: Outcome): string {
  let text = '';
  if (uncharged !== undefined) text += `,"uncharged":${JSON.stringify(uncharged)}`;
  if (errorCode !== undefined) text += `,"error_code":${JSON.stringify(errorCode)}`;
  if (traceparent !== undefined) text += `,"traceparent":${JSON.stringify(traceparent)}`;
  if (doubted !== undefined) text += `,"doubted":${JSON.stringify(doubted)}`;
  return text;
}
