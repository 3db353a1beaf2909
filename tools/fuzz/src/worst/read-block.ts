import { connect } from 'node:net';
import { join } from 'node:path';

/** What a gateway needs in its environment so that `readBlock` can ask it. */
export function watchBlocksBy(socketPath: string): Record<string, string> {
  return { NODE_OPTIONS: `--require ${join(__dirname, '..', '..', 'dist', 'worst', 'watch-blocks.js')}`, BLOCKS_SOCKET: socketPath };
}

/** Milliseconds for which the gateway's event loop was blocked at most since it was last asked. */
export function readBlock(socketPath: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(socketPath);
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('end', () => resolve(Number(text)));
    socket.on('error', reject);
  });
}
