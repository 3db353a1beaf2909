import { GatewayError } from '@weir/errors';
import { readBody } from '@weir/http-server';
import { parse } from 'csv-parse/sync';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { readJsonBody } from '../bodies/read-json-body';

const BYTES_MAX = 2 * 1024 * 1024;
const CSV = /^text\/csv\b/i;
const COLUMNS = ['day', 'base', 'currency', 'rate'];

/** Rates as JSON, or as CSV with the columns `day`, `currency`, `rate` and, where it is not USD, `base`, in any order. */
export async function readRatesBody(request: IncomingMessage): Promise<unknown> {
  if (!CSV.test(request.headers['content-type'] ?? '')) return readJsonBody(request);
  const bytes = await readBody(request, BYTES_MAX);
  if (!isUtf8(bytes)) throw new GatewayError('invalid_request', 'The file is not valid UTF-8. Send CSV in UTF-8.');
  return { rates: readRows(bytes.toString('utf8')) };
}

function readRows(text: string): Record<string, string>[] {
  try {
    const rows = parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true }) as Record<string, string>[];
    const unknown = Object.keys(rows[0] ?? {}).find((name) => !COLUMNS.includes(name));
    if (unknown !== undefined) throw new Error(`it has a column "${unknown.slice(0, 50)}"; it may have ${COLUMNS.join(', ')}`);
    return rows;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw new GatewayError('invalid_request', `The file is not valid CSV: ${reason}.`, { cause: error });
  }
}
