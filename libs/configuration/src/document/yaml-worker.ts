// Reads YAML in a thread of its own: the parser takes seconds for what may be sent, in one go, and others are served meanwhile.
import { parentPort, workerData } from 'node:worker_threads';
import { readDocumentText, UnreadableDocument } from './read-document-text';

/** Aliases may stand for far more than the text has. */
const JSON_LENGTH_MAX = 4 * 1024 ** 2;

function read(text: string): { readonly documents: string[] } | { readonly problem: string } {
  try {
    const documents = readDocumentText(text).map((document) => JSON.stringify(document));
    const length = documents.reduce((sum, document) => sum + document.length, 0);
    return length <= JSON_LENGTH_MAX ? { documents } : { problem: 'with its aliases in full it is larger than 4 MiB' };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.message };
    throw error;
  }
}

parentPort?.postMessage(read(workerData as string));
