// A gateway with little to do on a machine that has no time for it: `node tools/bench/dist/overload/busy-machine.js --seconds 20`.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { positive } from '../cells/options';
import { createRequestBody } from '../processes/sample-bodies';
import { startOverloadHarness, type OverloadHarness } from './start-overload-harness';

const HELP = `node tools/bench/dist/overload/busy-machine.js [options]
  --seconds N           how long each of the two is asked (20)
  --at-a-time N         requests under way at a time; then the same one after another (16)
  --loops N             processes beside it that do nothing but turn (6)
  --stutter A/B         stopped for A of every B milliseconds (400/500)`;

/** The least that has to be served for a run to say anything. */
const SERVED_MIN = 20;

type Seen = { served: number; refused: number; readonly failures: string[]; mostMs: number };

/** Asks for so long with so many callers, each of which sends its next request when it has the reply to the one before. */
async function ask({ port, keys }: OverloadHarness, callers: number, seconds: number): Promise<Seen> {
  const seen: Seen = { served: 0, refused: 0, failures: [], mostMs: 0 };
  const endAt = performance.now() + seconds * 1000;
  const call = async (index: number): Promise<void> => {
    for (let turn = index; performance.now() < endAt; turn += 1) {
      const startedAt = performance.now();
      const isStreamed = turn % 2 === 0;
      const reply = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        // Those who never paid are refused before those who do.
        headers: { authorization: `Bearer ${index % 2 === 0 ? keys.unpaid : keys.paying}`, 'content-type': 'application/json' },
        body: createRequestBody('openai/gpt-4o-mini', isStreamed),
      });
      const text = await reply.text();
      if (reply.status === 200 && (!isStreamed || text.includes('[DONE]'))) seen.served += 1;
      else if (reply.status === 503) seen.refused += 1;
      else seen.failures.push(`${reply.status} ${text.slice(0, 200)}`);
      seen.mostMs = Math.max(seen.mostMs, performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
  return seen;
}

/** Runs `work` while so many processes turn beside it; each of them ends by itself after a while. */
async function besideLoops<T>(count: number, secondsMax: number, work: () => Promise<T>): Promise<T> {
  const loop = `const end = Date.now() + ${secondsMax * 1000}; while (Date.now() < end);`;
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }));
  try {
    return await work();
  } finally {
    for (const child of loops) child.kill('SIGKILL');
  }
}

/** Runs `work` while a process is stopped for a part of every period. */
async function inStutter<T>(
  pid: number,
  { stoppedMs, everyMs }: { stoppedMs: number; everyMs: number },
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  const stuttering = (async (): Promise<void> => {
    while (!isOver) {
      process.kill(pid, 'SIGSTOP');
      await pause(stoppedMs);
      process.kill(pid, 'SIGCONT');
      await pause(everyMs - stoppedMs);
    }
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await stuttering;
  }
}

async function main(): Promise<number> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: { seconds: text('20'), 'at-a-time': text('16'), loops: text('6'), stutter: text('400/500'), help: { type: 'boolean' } },
  });
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  const seconds = positive('seconds', values.seconds);
  const atATime = positive('at-a-time', values['at-a-time']);
  const loops = positive('loops', values.loops);
  const [stoppedMs = 400, everyMs = 500] = values.stutter.split('/').map((part) => positive('stutter', part));
  const harness = await startOverloadHarness({ mix: 'models', frames: 0, providerMs: 0, gatewayEnv: {}, isPinned: false });
  const faults: string[] = [];
  const show = (name: string, { served, refused, failures, mostMs }: Seen): void => {
    console.log(`${name}: ${served} served, ${refused} refused, ${failures.length} failed, at most ${mostMs.toFixed(0)} ms`);
    if (refused > 0) faults.push(`${name}: ${refused} were refused`);
    if (failures.length > 0) faults.push(`${name}: ${failures[0] ?? ''}`);
    if (served < SERVED_MIN / (name.endsWith(' one after another') ? SERVED_MIN : 1)) faults.push(`${name}: too few to say anything`);
  };
  try {
    for (const [callers, how] of [[atATime, `${atATime} at a time`] as const, [1, 'one after another'] as const]) {
      show(`beside ${loops} loops, ${how}`, await besideLoops(loops, seconds * 4, () => ask(harness, callers, seconds)));
      const pid = harness.harness.process.child.pid as number;
      show(`stopped for ${values.stutter} ms, ${how}`, await inStutter(pid, { stoppedMs, everyMs }, () => ask(harness, callers, seconds)));
    }
  } finally {
    await harness.stop();
  }
  console.log(faults.length === 0 ? 'all is well' : faults.map((fault) => `BROKEN ${fault}`).join('\n'));
  return faults.length === 0 ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
