import { Agent, request as openRequest, type IncomingMessage } from 'node:http';
import { encodeBody, type ClientRequest } from './client-request';
import { PATHS } from './models';

export type ClientResult = {
  readonly request: ClientRequest;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The terminal bytes of a successful reply were seen. */
  readonly isComplete: boolean;
  /** `usage.cost` as it stood in the reply. */
  readonly cost: string | undefined;
  readonly text: string;
  readonly startedAt: number;
  readonly firstByteMs: number | null;
  readonly leftAt: number | null;
};

export type Target = { readonly url: string; readonly apiKey: string };

const TERMINAL = /data: \[DONE\]|"type":\s*"message_stop"|"type":\s*"response\.completed"/;
const COST = /"cost":\s*([0-9.eE+-]+)/g;
const TOKEN = /tok /g;
const TIMEOUT_MS = 60_000;

export function createAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 512 });
}

/** Sends one request as a client would and reads all of the answer; never rejects. */
export function sendRequest(target: Target, request: ClientRequest, agent: Agent): Promise<ClientResult> {
  const startedAt = Date.now();
  const body = encodeBody(request);
  return new Promise((resolve) => {
    let status: number | null = null;
    let text = '';
    let firstByteMs: number | null = null;
    let leftAt: number | null = null;
    const finish = (isEnded: boolean): void => {
      clearTimeout(timer);
      clearInterval(watch);
      const isComplete = status === 200 && (request.isStream ? TERMINAL.test(text) : isEnded);
      resolve({ request, status, isComplete, cost: [...text.matchAll(COST)].at(-1)?.[1], text, startedAt, firstByteMs, leftAt });
    };
    const call = openRequest(`${target.url}${PATHS[request.endpoint]}`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), authorization: `Bearer ${target.apiKey}` },
    });
    const leave = (): void => {
      leftAt = Date.now();
      call.destroy();
    };
    const timer = setTimeout(leave, TIMEOUT_MS);
    const { leaveOnce } = request;
    const watch = leaveOnce === undefined ? undefined : setInterval(() => leaveOnce() && leave(), 10);
    call.on('response', (response: IncomingMessage) => {
      status = response.statusCode ?? null;
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        firstByteMs ??= Date.now() - startedAt;
        text += piece;
        if (request.leaveAfterTokens !== undefined && (text.match(TOKEN)?.length ?? 0) >= request.leaveAfterTokens) leave();
      });
      response.on('end', () => finish(true));
      response.on('error', () => finish(false));
      response.on('close', () => finish(false));
    });
    call.on('error', () => finish(false));
    call.end(body);
  });
}
