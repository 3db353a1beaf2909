import { createFilesystemBlobStore, type BlobStore } from '@weir/blob-store';
import { getEndpoint, type Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ScannerParts } from '@weir/exchange';
import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';
import { createFormReceiver, receiveBody } from '@weir/http-server';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createSandboxProvider, type Provider } from '@weir/providers';
import { measureSeconds } from '@weir/recordings';
import { createMemoryMetering, makeAttempt, makePassport, type MemoryMetering } from '@weir/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeMediaService } from '../../compose';
import type { MediaLog } from '../media-modality';

export type MediaHarness = Omit<MemoryMetering, 'metering'> & {
  readonly url: string;
  readonly blobs: BlobStore;
  stop(): Promise<void>;
};

export type HarnessOptions = {
  /** Instead of the sandbox. */
  readonly provider?: Provider;
  readonly isStrict?: boolean;
  /** What the edge decided besides. */
  readonly passport?: Partial<Passport>;
  readonly scanners?: ScannerParts;
  readonly log?: MediaLog;
  /** Beside the first one, in order: ids of providers, for the same model. */
  readonly providerIds?: readonly string[];
  readonly heartbeatMs?: number;
};

const catalog = createBuiltInCatalog();

/** The worker behind a server of its own, with the sandbox as its provider. The address is `<url><path of the endpoint>?model=<id>`. */
export async function startMediaHarness(options: HarnessOptions = {}): Promise<MediaHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-media-'));
  const { metering, ...journalled } = createMemoryMetering();
  const provider = options.provider ?? createSandboxProvider();
  const blobs = createFilesystemBlobStore({ directory: join(directory, 'blobs'), now: Date.now });
  const { handle } = composeMediaService({
    ...metering,
    providers: { find: (id) => (id === 'elsewhere' ? undefined : provider) },
    catalog,
    headersTimeoutMs: 5_000,
    idleTimeoutMs: 5_000,
    heartbeatMs: options.heartbeatMs ?? 60_000,
    now: Date.now,
    measureSeconds,
    fetcher: createGuardedFetcher({ ports: [80], isAllowedAddress: createAddressRule([]) }),
    files: { blobs, retentionDays: 1, organizationBytesMax: 1024 ** 3 },
    results: { linkSecret: 'link-secret', ttlMs: 60_000, publicUrl: undefined },
    ...(options.scanners === undefined ? {} : { scanners: options.scanners }),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  const forms = createFormReceiver({ directory: join(directory, 'uploads'), fileBytesMax: 25 * 1024 ** 2, diskBytesMax: 1024 ** 3 });
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://harness');
      const endpoint = getEndpoint(ENDPOINT_OF[pathname] ?? '');
      const received = await receiveBody(request, endpoint, { forms, bodyBytesMax: 50 * 1024 ** 2 });
      const passport = decidePassport(endpoint.id, searchParams.get('model') ?? '', options);
      try {
        await handle({ passport, ...received, headers: request.headers, response, notes: {} });
      } finally {
        await received.form?.discard();
      }
    };
    serve().catch((error: unknown) => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const known = error instanceof GatewayError ? error : new GatewayError('internal', String(error));
      response.writeHead(known.status).end(JSON.stringify({ code: known.code, field: known.details.field, message: known.message }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...journalled,
    blobs,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const ENDPOINT_OF: Readonly<Record<string, string>> = {
  '/v1/images/generations': 'image-generations',
  '/v1/images/edits': 'image-edits',
  '/v1/audio/speech': 'speech',
  '/v1/audio/transcriptions': 'transcriptions',
  '/v1/audio/translations': 'translations',
};

function decidePassport(endpointId: string, model: string, options: HarnessOptions): Passport {
  const { isStrict = false, providerIds = ['sandbox'], passport = {} } = options;
  const record = catalog.find(model);
  if (record === undefined) throw new Error(`no model ${model}`);
  const attempts = providerIds.map((providerId) => ({ ...makeAttempt(record, catalog), providerId }));
  return makePassport({ endpointId, modelRequested: model, attempts, isStrict, ...passport });
}
