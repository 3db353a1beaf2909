// The floor under any gateway in this language: node:http in, undici out, nothing looked at. Runs in its own process.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const pool = new Pool(process.argv[2] ?? '', { connections: 256, pipelining: 1 });

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (bytes: Buffer) => pieces.push(bytes));
  request.on('end', () => void relay(request, Buffer.concat(pieces), response));
});

async function relay(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
  try {
    const upstream = await pool.request({
      path: request.url ?? '/',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
      body,
    });
    response.writeHead(upstream.statusCode, pickHeaders(upstream.headers));
    upstream.body.on('data', (bytes: Buffer) => {
      if (!response.write(bytes)) {
        upstream.body.pause();
        response.once('drain', () => upstream.body.resume());
      }
    });
    upstream.body.on('end', () => response.end());
    upstream.body.on('error', () => response.destroy());
  } catch (error) {
    response.writeHead(502).end(String(error));
  }
}

function pickHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of ['content-type', 'content-length']) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
