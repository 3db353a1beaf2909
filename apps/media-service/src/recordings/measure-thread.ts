// Runs as a thread of its own: measures each recording that it is sent, and sends its length back.
import { measureSeconds } from '@weir/recordings';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (file: Uint8Array) => {
  void measureSeconds(file).then((seconds) => parentPort?.postMessage(seconds));
});
