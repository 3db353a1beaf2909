import { GatewayError } from '@weir/errors';
import { readBody, readCallerAddress, sendError } from '@weir/http-server';
import type { Request, RequestHandler } from 'express';
import { hash, verify, type KeyObject } from 'node:crypto';
import { toServiceError } from '../http/to-service-error';
import type { ManagementParts } from '../route/management-parts';
import type { SecretAlerts } from '../ports/secret-alerts';
import { readSecretAlert } from './read-secret-alert';
import { revokeExposed } from './revoke-exposed';

const BODY_BYTES_MAX = 1024 * 1024;
/** Of ECDSA P-256 in DER, as base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{80,100}={0,2}$/;
const IDENTIFIER = /^[A-Za-z0-9_-]{1,200}$/;
const REFUSALS_PER_MINUTE = 120;
const RETRY_AFTER_SECONDS = 60;

/**
 * `POST /internal/secret-alert`: a scanner says which keys it found in public. Nothing of a report is read before its
 * signature is right; then every key in it is revoked, and the scanner hears by SHA-256 which of them were ours.
 */
export function serveSecretAlert(parts: ManagementParts, alerts: SecretAlerts, createRequestId: () => string): RequestHandler {
  return async (request, response) => {
    const requestId = String(response.getHeader('x-request-id') ?? createRequestId());
    response.setHeader('x-request-id', requestId);
    response.setHeader('cache-control', 'no-store');
    try {
      const exposed = readSecretAlert(await readSigned(request, alerts, parts));
      const verdicts = await revokeExposed(parts, exposed, { requestId, ip: readCallerAddress(request) });
      for (const verdict of verdicts.values()) alerts.count(verdict);
      response.json(
        exposed.map(({ token, type }) => ({
          token_hash: hash('sha256', token),
          token_type: type,
          label: verdicts.get(token) === 'unknown' ? 'false_positive' : 'true_positive',
        })),
      );
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.code === 'internal') parts.log.error({ error: error.cause, requestId }, 'a secret alert failed');
      sendError(response, error, { requestId, dialect: 'gateway' });
    }
  };
}

/** The bytes of a report that somebody signed who may. */
async function readSigned(request: Request, alerts: SecretAlerts, parts: Pick<ManagementParts, 'log'>): Promise<Buffer> {
  const identifier = request.get('github-public-key-identifier') ?? '';
  const signature = request.get('github-public-key-signature') ?? '';
  const isShaped = IDENTIFIER.test(identifier) && SIGNATURE.test(signature);
  const key = isShaped ? await findKey(identifier, alerts, parts) : undefined;
  if (key === undefined) throw await refuse(request, alerts);
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (!verify('sha256', bytes, key, Buffer.from(signature, 'base64'))) throw await refuse(request, alerts);
  return bytes;
}

async function findKey(identifier: string, { keys }: SecretAlerts, { log }: Pick<ManagementParts, 'log'>): Promise<KeyObject | undefined> {
  try {
    return await keys.find(identifier);
  } catch (error) {
    log.warn({ error }, 'public keys for secret alerts could not be read; the report was refused with 503');
    const message = 'The keys that reports are signed by cannot be read at the moment. Try again shortly.';
    throw new GatewayError('overloaded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
}

/** The same refusal whatever was wrong. Only refusals are limited, so that no one can crowd out a scanner that signs. */
async function refuse(request: Request, { refusals, count }: SecretAlerts): Promise<GatewayError> {
  count('refused');
  const { isAllowed, retryAfterMs } = await refusals.take(readCallerAddress(request) ?? '', REFUSALS_PER_MINUTE);
  if (isAllowed)
    return new GatewayError(
      'invalid_credentials',
      'The signature of the report is missing or not right. Sign it with the key that the settings name.',
    );
  return new GatewayError('rate_limited', 'Too many reports without a right signature. Try again later.', {
    retryAfterSeconds: retryAfterMs / 1000,
  });
}
