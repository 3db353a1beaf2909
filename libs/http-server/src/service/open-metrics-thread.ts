import type { Logger } from '@weir/telemetry';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { Worker, type MessagePort } from 'node:worker_threads';
import { listenOn } from '../connections/listen-on';
import { PortStream } from './port-stream';

export type MetricsThreadData = {
  /** 1 while the main thread is inside a call to the disk of its journal, which returns when the disk likes. */
  readonly diskCalls: Int32Array;
  /** When the main thread last had a turn, by the clock of `process.hrtime`. */
  readonly beats: BigInt64Array;
  /** A main thread that had no turn for so long, and waits for no disk, is stuck. */
  readonly silenceMsMax: number;
  readonly connectionsMax: number;
};

/** What the thread sends: a request that came, and what became of listening. */
export type ThreadConnection = { readonly connection: MessagePort; readonly remoteAddress: string | undefined };
export type ThreadListening = { readonly port: number } | { readonly message: string; readonly code: string | undefined };

type MetricsThread = { listen(port: number, host: string): Promise<number>; close(): Promise<void> };

/** From sources as well as built: threads run built code. */
const THREAD = join(__dirname, '..', '..', 'dist', 'service', 'metrics-port-thread.js');
const BEAT_MS = 1000;
/** It only passes pages on. */
const HEAP = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 };

/** Lets a thread listen in the server's place, and reply by itself while the main thread cannot. */
export async function openMetricsThread(
  server: Server,
  { log, ...data }: Omit<MetricsThreadData, 'beats'> & { readonly log: Logger },
): Promise<MetricsThread> {
  const beats = new BigInt64Array(new SharedArrayBuffer(8));
  const beat = (): void => void Atomics.store(beats, 0, process.hrtime.bigint());
  beat();
  const workerData: MetricsThreadData = { ...data, beats };
  const thread = new Worker(THREAD, { workerData, resourceLimits: HEAP, name: 'metrics' });
  await once(thread, 'online');
  const timer = setInterval(beat, BEAT_MS).unref();
  thread.on('message', (message: ThreadConnection | ThreadListening) => {
    if ('connection' in message) server.emit('connection', new PortStream(message.connection, message.remoteAddress));
  });
  let place: { readonly port: number; readonly host: string } | undefined;
  let isClosing = false;
  thread.on('error', (error) => log.error({ error }, 'the thread of the metrics port failed'));
  thread.once('exit', () => {
    // Served as by a process without a journal: not while the disk does not reply, and else as before.
    if (place !== undefined && !isClosing) {
      listenOn(server, place.port, place.host).catch((error: unknown) => log.error({ error }, 'the metrics port is not served any more'));
    }
  });
  return {
    listen: async (port, host) => {
      thread.postMessage({ port, host });
      const [listening] = (await once(thread, 'message')) as [ThreadListening];
      if ('message' in listening) throw Object.assign(new Error(listening.message), { code: listening.code });
      place = { port: listening.port, host };
      return listening.port;
    },
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
