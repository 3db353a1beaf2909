import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopChild } from '../measure/start-child';
import type { Checkout } from './checkout';
import { buildBody, LOADS, type Load } from './loads';
import { measureLoad } from './measure-load';
import type { PhaseRun } from './phase-run';
import { findServing, readResident, sumOf } from './process-times';
import type { HoldReply, HoldRequest } from './processes/hold-job';
import { OPEN_STREAMS, type Sample } from './samples';
import { askChild } from './start-tools';
import { startStandaloneTarget, type Target } from './targets';

const OPENED_PER_SECOND = 300;
/** Of one stream: as often as a slow model says something, so that nine thousand do not fill the machine. */
const FRAME_EVERY_MS = 2_000;
/** A stream that gets nothing for so long has stalled: five frames should have come. */
const WATCHED_SECONDS = 10;
const ENDED_SECONDS = 30;
const REST_MS = 5_000;
const BYTES_A_KILOBYTE = 1_000;

/** For everything else that a gateway has open. */
const OTHER_DESCRIPTORS = 1_000;

/** Many streams at a time in one process of each checkout, one checkout after another, once: it takes a minute each. */
export async function measureOpenStreams(_loads: readonly Load[], run: PhaseRun): Promise<Sample[]> {
  const most = countStreamsMost(readFileSync('/proc/self/limits', 'utf8'));
  const streams = Math.min(run.options.streams, most);
  if (streams < run.options.streams) run.announce(`! only ${streams} streams: there are not more descriptors (ulimit -n)`);
  const samples: Sample[] = [];
  for (const checkout of run.checkouts) samples.push(await measureCheckout(checkout, streams, run));
  return samples;
}

/** A gateway has two descriptors for a stream: the caller's and the provider's. */
export function countStreamsMost(limits: string): number {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Infinity : Math.max(1, Math.floor((Number(soft) - OTHER_DESCRIPTORS) / 2));
}

async function measureCheckout(checkout: Checkout, streams: number, run: PhaseRun): Promise<Sample> {
  const { tools, options, announce } = run;
  announce(`${streams} open streams, ${checkout.name}`);
  const env = { ...options.gatewayEnv, PROCESSES: '1' };
  const target = await startStandaloneTarget(checkout, { providerUrl: tools.providerUrl, env });
  const holder = fork(join(__dirname, 'processes', 'stream-holder.js'));
  try {
    // What code and caches take does not belong to the streams.
    for (const load of [LOADS.whole, LOADS.stream]) await measureLoad(load, target, { tools, seconds: options.seconds });
    await new Promise((done) => setTimeout(done, REST_MS));
    const atRest = readResident(target.roots);
    await tools.plan({ frames: 1, everyMs: FRAME_EVERY_MS });
    const held = await holdStreams(holder, target, streams);
    const serving = findServing(target.roots, target.port);
    const [rest, open] = [atRest, readResident(target.roots)].map((sizes) => sumOf(sizes, serving)) as [number, number];
    const grown = open - rest;
    await tools.plan({ frames: 1 });
    const ended = await ask(holder, { kind: 'end', seconds: ENDED_SECONDS });
    announce(
      `${held.open} open, ${held.silent} silent, ${ended.ended} ended well, ${Math.round(rest / 1e6)} MB at rest and ${Math.round(grown / 1e6)} more`,
    );
    return describe(checkout, { held, ended, grown });
  } finally {
    await Promise.all([stopChild(holder), target.stop()]);
  }
}

async function holdStreams(holder: ChildProcess, { port, key }: Target, streams: number): Promise<HoldReply> {
  await ask(holder, { kind: 'open', port, key, body: buildBody(LOADS.stream), streams, perSecond: OPENED_PER_SECOND });
  return ask(holder, { kind: 'watch', seconds: WATCHED_SECONDS });
}

function ask(holder: ChildProcess, request: HoldRequest): Promise<HoldReply> {
  return askChild<HoldReply>(holder, 'stream holder', request);
}

type Seen = { readonly held: HoldReply; readonly ended: HoldReply; readonly grown: number };

/** Streams that stalled are what is to be found; what was refused or broke off is a fault besides. */
function describe({ name }: Checkout, { held, ended, grown }: Seen): Sample {
  return {
    load: OPEN_STREAMS,
    target: name,
    round: 1,
    values: { streamKilobytes: grown / held.open / BYTES_A_KILOBYTE, stalled: held.silent },
    errors: held.refused,
    fault: ended.firstFault,
  };
}
