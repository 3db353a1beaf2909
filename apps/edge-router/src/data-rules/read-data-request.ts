import { DATA_AREAS, type DataArea, type DataRules } from '@weir/access';
import { GatewayError } from '@weir/errors';
import type { IncomingHttpHeaders } from 'node:http';
import { readExtension } from '../request/read-request-metadata';

const HEADER = 'x-weir-data-policy';
const FIELD = 'weir.data_policy';

/**
 * What a request itself asks for, in the header `x-weir-data-policy` or the body's `weir.data_policy`: words with commas
 * between them, `zero-retention`, `no-training`, `residency=eu`. Throws `invalid_request` for any other word.
 */
export function readDataRequest(headers: IncomingHttpHeaders, body: Record<string, unknown>): Partial<DataRules> {
  const reported = headers[HEADER];
  const asked = readExtension(body)?.['data_policy'];
  if (reported === undefined && (asked === undefined || asked === null)) return NO_DATA_REQUEST;
  const [byHeader, byBody] = [readWords(reported, HEADER), readWords(asked, FIELD)];
  const isSame = byHeader.residency === undefined || byBody.residency === undefined || byHeader.residency === byBody.residency;
  if (!isSame) throw new GatewayError('invalid_request', `${HEADER} and ${FIELD} name different areas.`, { field: FIELD });
  return { ...byHeader, ...byBody };
}

/** Of a request that asks for nothing. */
export const NO_DATA_REQUEST: Partial<DataRules> = Object.freeze({});

function readWords(value: unknown, field: string): Partial<DataRules> {
  if (value === undefined || value === null) return NO_DATA_REQUEST;
  if (typeof value !== 'string') throw refuse(field);
  const words = value.split(',').map((word) => word.trim());
  const reported = words.filter((word) => word !== '').map((word) => readWord(word, field));
  const areas = new Set(reported.flatMap(({ residency }) => residency ?? []));
  if (areas.size > 1) throw new GatewayError('invalid_request', `${field} names different areas.`, { field });
  return Object.assign({}, ...reported) as Partial<DataRules>;
}

function readWord(word: string, field: string): Partial<DataRules> {
  if (word === 'zero-retention') return { isZeroRetention: true };
  if (word === 'no-training') return { isTrainingAllowed: false };
  const area = word.startsWith('residency=') ? word.slice('residency='.length) : '';
  if (isArea(area)) return { residency: area };
  throw refuse(field);
}

function isArea(text: string): text is DataArea {
  return (DATA_AREAS as readonly string[]).includes(text);
}

function refuse(field: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `${field} must be words with commas between them: zero-retention, no-training, residency=eu (or us, ap).`,
    { field },
  );
}
