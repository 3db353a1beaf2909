import type { GuardrailRule } from '@weir/guardrails';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { askScanners } from './ask-scanners';
import { openScanners } from './open-scanners';

const AT_ONCE = 24;

it('asks a scanner about as many requests of an organization as there are', async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (waiting.push(response) === AT_ONCE) for (const each of waiting) each.end('{"verdict":"passed"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const parts = openScanners({ FETCH_PORTS: [port], FETCH_PRIVATE_NETWORKS: ['127.0.0.0/8'], GUARDRAIL_SCANNER_TIMEOUT_MS: 5_000 });
    const rule = { id: 'r', name: 'r', onError: 'closed', action: 'block', scannerUrl: `http://127.0.0.1:${port}/` };
    const question = { stage: 'input', texts: ['a'], requestId: 'q', organizationId: 'o' } as const;
    const ask = () => askScanners([rule as unknown as GuardrailRule & { scannerUrl: string }], question, parts);
    const results = await Promise.all(Array.from({ length: AT_ONCE }, ask));
    expect(results.flatMap(({ failed }) => failed)).toEqual([]);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
