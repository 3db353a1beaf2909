import { GatewayError } from '@weir/errors';
import { MulterError } from 'multer';

const RETRY_AFTER_SECONDS = 10;

/** The refusal of a form that breaks a limit. */
export function refuseLargeForm(what: string, bytesMax: number): GatewayError {
  return new GatewayError(
    'body_too_large',
    `${what} is larger than the ${bytesMax} bytes that are accepted here. Send less in one request.`,
  );
}

/** The refusal while uploads of others fill the disk. */
export function refuseFullDisk(cause?: unknown): GatewayError {
  return new GatewayError('overloaded', 'The gateway holds too many uploads at the moment. Try again shortly.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}

const DISK_IS_FULL = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

/** Says what is wrong with a form that could not be read; errors of the disk are not the caller's fault and stay what they are. */
export function explainFormError(error: unknown): unknown {
  if (error instanceof GatewayError || !(error instanceof Error)) return error;
  if (error instanceof MulterError) return malformed(`${error.message}.`, error.field);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && DISK_IS_FULL.has(code)) return refuseFullDisk(error);
  if (code !== undefined) return error;
  return malformed(MESSAGES[error.message] ?? 'it could not be read.');
}

/** What the parser says, in words for callers. */
const MESSAGES: Readonly<Record<string, string>> = {
  'Unexpected end of form': 'it ends before its closing boundary.',
  'Unexpected end of file': 'it ends before its closing boundary.',
  'Malformed part header': 'a part has a malformed header.',
  'Multipart: Boundary not found': 'its content type names no boundary.',
  'Request aborted': 'the connection closed before it was complete.',
  'Request closed': 'the connection closed before it was complete.',
};

function malformed(why: string, field?: string): GatewayError {
  return new GatewayError('invalid_request', `The multipart body is malformed: ${why}`, field === undefined ? {} : { field });
}
