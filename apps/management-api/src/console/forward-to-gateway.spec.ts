import compression from 'compression';
import express, { type RequestHandler } from 'express';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardToGateway } from './forward-to-gateway';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Forwards everything, behind the compression that all pages are behind. */
async function serveForwarder(gatewayUrl: string): Promise<string> {
  const app = express().use(compression() as RequestHandler);
  app.all('/*path', async (asked, response) => {
    try {
      await forwardToGateway(asked, response, { gatewayUrl, target: asked.originalUrl, key: 'own' });
    } catch (error) {
      response.status(503).end(String(error));
    }
  });
  return serve(app);
}

async function open(url: string): Promise<{ reply: IncomingMessage; leave(): void }> {
  const sent = request(url, { headers: { 'accept-encoding': 'gzip, br', accept: 'text/event-stream' }, agent: false }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { reply, leave: () => void sent.destroy() };
}

describe('the way to the gateway', () => {
  it('carries a body there and the reply back, below a base path too', async () => {
    const gateway = await serve((asked, response) => {
      response.writeHead(201, { 'content-type': 'text/plain', 'x-sent': `${asked.method} ${asked.url} ${asked.headers.authorization}` });
      asked.pipe(response);
    });
    const reply = await fetch(`${await serveForwarder(`${gateway}/base`)}/v1/x?a=1`, { method: 'POST', body: 'the body' });

    expect([reply.status, reply.headers.get('x-sent'), await reply.text()]).toEqual([201, 'POST /base/v1/x?a=1 Bearer own', 'the body']);
  });

  it('hands on each event as it comes, to browsers that accept compression as well', async () => {
    let goOn = (): void => undefined;
    const gateway = await serve((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      goOn = () => void response.end('data: 2\n\n');
    });
    const { reply } = await open(`${await serveForwarder(gateway)}/v1/chat/completions`);
    const [first] = (await once(reply, 'data')) as [Buffer];
    expect([first.toString(), reply.headers['content-encoding']]).toEqual(['data: 1\n\n', undefined]);
    goOn();
    const [second] = (await once(reply, 'data')) as [Buffer];
    expect(second.toString()).toBe('data: 2\n\n');
  });

  it('leaves the gateway when the browser leaves, and cuts the browser’s reply when the gateway’s is cut', async () => {
    let left: Promise<unknown> = Promise.resolve();
    let cut = (): void => undefined;
    const gateway = await serve((_asked, response) => {
      left = once(response, 'close');
      cut = () => void response.destroy();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const forwarder = await serveForwarder(gateway);
    const leaving = await open(`${forwarder}/v1/a`);
    leaving.reply.on('error', () => undefined);
    await once(leaving.reply, 'data');
    leaving.leave();
    await left;

    const { reply } = await open(`${forwarder}/v1/b`);
    await once(reply, 'data');
    const failed = once(reply, 'error');
    cut();
    expect(String((await failed)[0])).toContain('aborted');
  });

  it('says when no one is there', async () => {
    const reply = await fetch(`${await serveForwarder('http://127.0.0.1:9')}/v1/models`);
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('cannot reach the gateway')]);
  });
});
