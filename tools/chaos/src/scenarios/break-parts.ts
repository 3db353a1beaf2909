import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, pickInteger } from '../random';
import { familySlack } from '../check/family-slack';
import { readEvents } from '../check/read-money';
import { createAgent, sendRequest } from '../load/send-request';
import { accountsOf, expectThat, type Scenario } from './scenario';

const RATE = { short: 40, full: 100 };
const KILL_EVERY_MS = 20_000;
/** Under load, between one fault and the next. */
const REST_MS = { short: 1_500, full: 5_000 };

export const killBroker: Scenario = {
  id: 'M3',
  title: 'nothing lost or doubled when the broker is killed again and again, and its data is wiped once',
  run: async ({ rig, size, report }) => {
    const { kafka } = rig.parts;
    const kills = size === 'full' ? 15 : 0; // then it is killed once, to be wiped
    rig.load(RATE[size]);
    for (let kill = 1; kill <= kills; kill += 1) {
      await pause(KILL_EVERY_MS);
      report(`kill -9 broker (${kill} of ${kills})`);
      await kafka.kill();
      await kafka.start();
    }
    await pause(REST_MS[size]);
    await kafka.kill();
    await kafka.wipe();
    await kafka.start();
    report('broker back without its data');
    await pause(REST_MS[size]);
    return { verdict: await rig.verify({ quiesceMs: 180_000 }), findings: { kills: kills + 1, wipes: 1 } };
  },
};

export const killDatabase: Scenario = {
  id: 'M4',
  title: 'nothing lost or doubled when Postgres is killed in the middle of batches',
  run: async ({ rig, size, seed, report }) => {
    const kills = size === 'full' ? 10 : 2;
    const random = createRandom(seed);
    rig.load(RATE[size]);
    for (let kill = 1; kill <= kills; kill += 1) {
      await pause(pickInteger(random, 500, 500 + REST_MS[size]));
      report(`kill -9 Postgres (${kill} of ${kills})`);
      await rig.parts.postgres.kill();
      await pause(500);
      await rig.parts.postgres.start();
    }
    await pause(1_000);
    return { verdict: await rig.verify(), findings: { kills } };
  },
};

export const refuseBroker: Scenario = {
  id: 'M5',
  title: 'an outage of the broker under load costs no client an error, and the backlog drains quickly',
  run: async ({ rig, size, report }) => {
    const outageMs = size === 'full' ? 600_000 : 5_000;
    const load = rig.load(RATE[size]);
    await pause(REST_MS[size]);
    const before = await rig.metrics('chat-translator');
    const sentBefore = load.results.length;
    const offsetOfErrors = load.results.length;
    rig.parts.kafka.proxy.setMode({ kind: 'refuse' });
    report(`broker gone for ${outageMs} ms`);
    await pause(outageMs);
    const after = await rig.metrics('chat-translator');
    const attempts = load.results.length - sentBefore;
    rig.parts.kafka.proxy.setMode({ kind: 'pass' });
    const results = await load.stop();
    const drainStartedAt = Date.now();
    await rig.quiesce(180_000);
    const drainMs = Date.now() - drainStartedAt;
    const failed = results.slice(offsetOfErrors).filter(({ status, request }) => status !== 200 && !request.prompt.includes('ending='));
    const refused = failed.filter(({ text }) => text.includes('record usage'));
    const verdict = await rig.verify();
    const backlog = after.get('weir_journal_unaggregated_events') ?? 0;
    const grown = (after.get('weir_journal_bytes') ?? 0) - (before.get('weir_journal_bytes') ?? 0);
    expectThat(refused.length === 0, `no client is refused for the outage (${refused.length} were)`);
    expectThat(backlog > attempts / 2, `the outage is real (${backlog} events waited of ${attempts})`);
    return {
      verdict,
      findings: {
        'outage, s': outageMs / 1000,
        attempts,
        'client errors from the outage': refused.length,
        // Of a machine that is too slow for its load: connections and databases that time out.
        'other client errors': failed.length - refused.length,
        backlog,
        'bytes per attempt': Math.round(grown / attempts),
        'drain, ms': drainMs,
      },
    };
  },
};

export const killCache: Scenario = {
  id: 'M3-redis',
  title: 'nothing lost or doubled when Redis is killed and forgets every watermark',
  run: async ({ rig, size }) => {
    rig.load(RATE[size]);
    for (let kill = 0; kill < (size === 'full' ? 10 : 1); kill += 1) {
      await pause(REST_MS[size]);
      await rig.parts.redis.kill();
      await pause(1_000);
      await rig.parts.redis.start();
    }
    await pause(1_000);
    return { verdict: await rig.verify({ quiesceMs: 120_000 }), findings: {} };
  },
};

export const crashMidStream: Scenario = {
  id: 'M12',
  title: 'a stream that a kill cuts is billed once, for what had been generated',
  run: async ({ rig }) => {
    const seed = rig.nextSeed();
    const agent = createAgent();
    const request = {
      seed,
      endpoint: 'chat-completions' as const,
      model: 'openai/gpt-4o-mini',
      isStream: true,
      prompt: `seed=${seed} tokens=2000 gap=5`,
    };
    const sending = sendRequest({ url: rig.harness.url, apiKey: rig.harness.apiKey }, request, agent);
    while (rig.provider.producedOf(seed) < 500) await pause(20);
    await rig.harness.services['chat-translator'].kill();
    const result = await sending;
    agent.destroy();
    rig.note([result]);
    await rig.harness.restart('chat-translator');
    const verdict = await rig.verify();
    const { event, entry } = accountsOf(rig, await readEvents(rig.pool), result);
    const read = result.text.match(/tok /g)?.length ?? 0;
    const { out } = event.units;
    expectThat(event.status === 'aborted_crash', `the event says that a crash cut it, not ${event.status}`);
    // Progress is noted every two seconds; at five milliseconds a token that is 400 tokens, and a timer may be late.
    expectThat(
      out >= read - 500 && out <= entry.producedTokens + 5 + familySlack(event, entry.producedTokens),
      `${out} tokens are within one step of the ${read} that were read`,
    );
    return { verdict, findings: { read, billed: out } };
  },
};
