import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeTestFolder } from '@weir/testing';
import { startStandalone } from '../harness/start-standalone';

/** Loaded ahead of the gateway: writes to files of the journal do not return while the file `frozen` is there, as on a frozen disk. */
const FREEZER = `
  const fs = require('node:fs');
  const { join } = require('node:path');
  const { writeSync } = fs;
  const frozen = join(__dirname, 'frozen');
  const never = new Int32Array(new SharedArrayBuffer(4));
  fs.writeSync = (fd, ...rest) => {
    if (fs.existsSync(frozen) && fs.readlinkSync('/proc/self/fd/' + fd).includes('journal')) {
      fs.writeFileSync(join(__dirname, 'waiting'), '');
    while (fs.existsSync(frozen)) Atomics.wait(never, 0, 0, 50);
    }
    return writeSync(fd, ...rest);
  };
`;

async function askFor(url: string): Promise<{ readonly status: number; readonly ms: number }> {
  const begun = performance.now();
  const reply = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  await reply.text();
  return { status: reply.status, ms: performance.now() - begun };
}

describe('a gateway whose disk does not reply', () => {
  it('lives at the metrics port and is not ready, and serves what it was asked for when the disk goes on', async () => {
    const folder = makeTestFolder('frozen-disk');
    const frozen = join(folder, 'frozen');
    writeFileSync(join(folder, 'freezer.cjs'), FREEZER);
    const gateway = await startStandalone({ env: { NODE_OPTIONS: `--require ${join(folder, 'freezer.cjs')}` } });
    try {
      const chat = (): Promise<Response> =>
        fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'hello' }] }),
        });
      expect((await chat()).status).toBe(200);

      writeFileSync(frozen, '');
      const waiting = chat();
      for (let looks = 0; looks < 200 && !existsSync(join(folder, 'waiting')); looks += 1) await setTimeout(50);
      expect(existsSync(join(folder, 'waiting'))).toBe(true);
      await expect(fetch(`${gateway.url}/healthz`, { signal: AbortSignal.timeout(3000) })).rejects.toThrow(/timeout/);
      for (let round = 0; round < 2; round += 1) {
        const alive = await askFor(`${gateway.metricsUrl}/healthz`);
        expect(alive.status).toBe(200);
        expect(alive.ms).toBeLessThan(1000);
        const ready = await askFor(`${gateway.metricsUrl}/readyz`);
        expect(ready.status).toBe(503);
        expect(ready.ms).toBeLessThan(3000);
      }

      rmSync(frozen);
      expect((await waiting).status).toBe(200);
      expect((await askFor(`${gateway.metricsUrl}/readyz`)).status).toBe(200);
    } finally {
      rmSync(frozen, { force: true });
      await gateway.process.terminate();
    }
  });
});
