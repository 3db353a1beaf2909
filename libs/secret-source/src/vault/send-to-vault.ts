import { request as requestHttp } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { SecretUnavailable } from '../secret-source';

export type VaultCall = {
  readonly method: 'GET' | 'POST';
  /** Behind `/v1/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type VaultAnswer = { readonly status: number; readonly json: unknown };

export type SendToVault = (call: VaultCall) => Promise<VaultAnswer>;

type VaultPlace = {
  readonly address: string;
  /** Certificates in PEM; absent: those of the system. */
  readonly certificates?: string | undefined;
  readonly timeoutMs: number;
};

const ANSWER_BYTES_MAX = 1024 * 1024;

/** Sends one call, bounded in time and size. Never repeats what Vault says: that could be a secret. */
export function createVaultSender({ address, certificates, timeoutMs }: VaultPlace): SendToVault {
  const isSecure = address.startsWith('https:');
  const agent = isSecure && certificates !== undefined ? new Agent({ ca: certificates }) : undefined;
  return async ({ method, path, headers, body }) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const options = { method, agent, headers: { ...headers, ...length, 'x-vault-request': 'true' } };
    return new Promise<VaultAnswer>((resolve, reject) => {
      const fail = (error: Error): void => reject(explainUnreached(error, address));
      const send = isSecure ? requestHttps : requestHttp;
      const request = send(`${address}/v1/${path}`, options, (response) => {
        readAnswer(response)
          .then(resolve, fail)
          .finally(() => clearTimeout(timer));
      });
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      request.on('error', (error) => {
        clearTimeout(timer);
        fail(error);
      });
      request.end(text);
    });
  };
}

async function readAnswer(response: IncomingMessage): Promise<VaultAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, json: parseJson(Buffer.concat(chunks).toString('utf8')) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What is no JSON has no secret in it; the status says the rest.
    return undefined;
  }
}

function explainUnreached(error: Error, address: string): SecretUnavailable {
  const { code } = error as NodeJS.ErrnoException;
  return new SecretUnavailable(`Vault at ${address} cannot be reached (${code ?? error.message})`, { cause: error });
}
