import type { Sight } from '../compare/place';
import { flatten } from './flatten';

/** The lines of a gateway's log that belong to requests, by the meaning of their ids. */
export function readLog(output: string, meaningOf: (requestId: string) => string | undefined): Sight[] {
  return output.split('\n').flatMap((line) => {
    const entry = parse(line);
    const id = entry?.['requestId'];
    const subject = typeof id === 'string' ? meaningOf(id) : undefined;
    return subject === undefined ? [] : [{ subject, place: 'log', text: flatten(entry).join('\n') }];
  });
}

/** The ids in the lines that requests ended with. */
export function listLoggedRequests(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    const entry = parse(line);
    return entry?.['msg'] === 'request' && typeof entry['requestId'] === 'string' ? [entry['requestId']] : [];
  });
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    // Not all that a process prints is its log.
    return undefined;
  }
}
