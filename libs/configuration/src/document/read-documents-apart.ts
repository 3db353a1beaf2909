import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { UnreadableDocument } from './read-document-text';

/** From sources as well as built: threads run built code. */
const WORKER = join(__dirname, '..', '..', 'dist', 'document', 'yaml-worker.js');
const READ_MS_MAX = 10_000;
const MEGABYTES_MAX = 256;

/**
 * The documents of a text in YAML as texts in JSON, read in a thread of its own. Throws `UnreadableDocument` for what is none, and
 * for what takes longer or more memory than any document of that length.
 */
export async function readDocumentsApart(text: string): Promise<string[]> {
  const worker = new Worker(WORKER, { workerData: text, resourceLimits: { maxOldGenerationSizeMb: MEGABYTES_MAX } });
  try {
    const [reply] = (await once(worker, 'message', { signal: AbortSignal.timeout(READ_MS_MAX) })) as [
      { documents: string[] } | { problem: string },
    ];
    if ('documents' in reply) return reply.documents;
    throw new UnreadableDocument(reply.problem);
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (name !== 'AbortError' && code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new UnreadableDocument('it takes too long to read; write it as JSON', { cause: error });
  } finally {
    await worker.terminate();
  }
}
