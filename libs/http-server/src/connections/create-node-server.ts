import { createServer, type Server } from 'node:http';
import { ReplyResponse } from './reply-response';
import { CONNECTION_IDLE_MS } from './end-connections';
import { SLOW_CLIENT_LIMITS, type SlowClientLimits } from './slow-client-watch';

/** A server as all services listen, without a request handler. */
export function createNodeServer(slowClients: SlowClientLimits = SLOW_CLIENT_LIMITS): Server {
  return createServer({
    ServerResponse: ReplyResponse,
    noDelay: true,
    keepAliveTimeout: CONNECTION_IDLE_MS,
    headersTimeout: slowClients.headMs,
    // Bodies that are no uploads get less: see createSlowClientWatch.
    requestTimeout: slowClients.uploadMs,
    connectionsCheckingInterval: slowClients.checkEveryMs,
    maxHeaderSize: 32 * 1024,
  });
}
