import type { NewBlob } from '@weir/blob-store';
import { GatewayError } from '@weir/errors';
import type { FormFile, ReceivedForm } from '@weir/http-server';

const PURPOSES = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'];
const MEMBER = /^expires_after\[(anchor|seconds)\]$/;
const SECONDS_MIN = 3_600;
const SECONDS_MAX = 2_592_000;
const DAY_MS = 86_400_000;

type FileForm = Pick<NewBlob, 'name' | 'type' | 'expiresAtMs' | 'bytes'> & { readonly purpose: string; readonly size: number };

/** Reads the form of an upload. Throws `invalid_request` naming the field at fault; nothing in it is ignored. */
export function readFileForm(
  { fields, files }: ReceivedForm,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
): FileForm {
  const [file] = files;
  if (file === undefined) throw refuse('file', 'must be a file');
  if (file.size === 0) throw refuse('file', 'must not be empty');
  let purpose: string | undefined;
  const expiry: { anchor?: string; seconds?: string } = {};
  for (const { name, value } of fields) {
    const member = MEMBER.exec(name)?.[1] as keyof typeof expiry | undefined;
    if (name === 'purpose') purpose = value;
    else if (member !== undefined) expiry[member] = value;
    else throw refuse(name.slice(0, 64), 'is not a field of this endpoint');
  }
  if (purpose === undefined || !PURPOSES.includes(purpose)) throw refuse('purpose', `must be one of ${PURPOSES.join(', ')}`);
  const lifetimeMs = readLifetime(expiry) ?? retentionDays * DAY_MS;
  return describe(file, { purpose, expiresAtMs: nowMs + lifetimeMs });
}

function describe(file: FormFile, more: { readonly purpose: string; readonly expiresAtMs: number }): FileForm {
  const { name, type, size } = file;
  return { name, type, size, bytes: { size, read: () => file.read() }, ...more };
}

/** In milliseconds; undefined when the caller says nothing. */
function readLifetime({ anchor, seconds }: { anchor?: string; seconds?: string }): number | undefined {
  if (anchor === undefined && seconds === undefined) return undefined;
  if (anchor !== 'created_at') throw refuse('expires_after[anchor]', 'must be created_at');
  const count = /^\d{1,10}$/.test(seconds ?? '') ? Number(seconds) : NaN;
  if (!(count >= SECONDS_MIN && count <= SECONDS_MAX)) {
    throw refuse('expires_after[seconds]', `must be a whole number from ${SECONDS_MIN} to ${SECONDS_MAX}`);
  }
  return count * 1000;
}

export function refuse(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${why}.`, { field });
}
