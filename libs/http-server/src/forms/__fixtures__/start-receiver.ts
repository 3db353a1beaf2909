import { toGatewayError, type GatewayError } from '@weir/errors';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFormReceiver, type FormReceiver, type FormReceiverOptions } from '../create-form-receiver';
import { findFormRules } from '../form-rules';
import { sendError } from '../../replies/send-error';
import { CONTENT_TYPE } from './multipart';

export type SeenForm = {
  readonly fields: { name: string; value: string }[];
  readonly files: { field: string; name: string; type: string; size: number; sha256: string }[];
};

export type ReceiverHarness = {
  readonly port: number;
  readonly receiver: FormReceiver;
  /** What was refused, and why; in order. */
  readonly refusals: GatewayError[];
  /** Names in the upload directory. */
  listLeft(): string[];
  /** Resolves when the server has dealt with so many requests. */
  whenDone(count: number): Promise<void>;
  /** Sends a whole body and returns status and JSON. */
  post(body: Buffer | string, headers?: Record<string, string>): Promise<{ status: number; text: string; json: SeenForm }>;
  /** A socket that has sent a request's head. */
  open(headers: Record<string, string>): Socket;
  stop(): Promise<void>;
};

/** A server that receives forms of image edits and returns what it saw. */
export async function startReceiver(options: Partial<FormReceiverOptions> = {}): Promise<ReceiverHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-forms-'));
  const receiver = createFormReceiver({ directory, fileBytesMax: 25 * 1024 ** 2, diskBytesMax: 2 ** 32, ...options });
  const refusals: GatewayError[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let done = 0;
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const form = await receiver.receive(request, findFormRules('image-edits'));
      const files: SeenForm['files'] = [];
      for (const file of form.files) {
        const hash = createHash('sha256');
        for await (const chunk of file.read()) hash.update(chunk);
        files.push({ field: file.field, name: file.name, type: file.type, size: file.size, sha256: hash.digest('hex') });
      }
      await form.discard();
      response.end(JSON.stringify({ fields: form.fields, files }));
    };
    serve()
      .catch((thrown: unknown) => {
        const error = toGatewayError(thrown);
        refusals.push(error);
        if (!response.destroyed) sendError(response, error, { requestId: 'r', dialect: 'gateway', endpointId: 'image-edits' });
      })
      .finally(() => {
        done += 1;
        for (const each of waiting) if (done >= each.count) each.resolve();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    receiver,
    refusals,
    listLeft: () => readdirSync(directory),
    whenDone: (count) => new Promise((resolve) => (done >= count ? resolve() : waiting.push({ count, resolve }))),
    post: async (body, headers = { 'content-type': CONTENT_TYPE }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) });
      const text = await answer.text();
      return { status: answer.status, text, json: (text === '' ? {} : JSON.parse(text)) as SeenForm };
    },
    open: (headers) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const lines = Object.entries({ host: 'x', 'content-type': CONTENT_TYPE, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`);
      return socket;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
