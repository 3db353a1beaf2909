import { SecretUnavailable } from '../secret-source';

const REASONS: Readonly<Record<number, string>> = {
  400: 'does not accept the request',
  403: 'refuses it: the token has ended, or its policy does not allow it',
  404: 'has nothing there',
  429: 'is a standby that does not reply to reads',
  472: 'is a replica that does not reply to reads',
  473: 'is a standby that does not reply to reads',
  503: 'is sealed or in maintenance',
};

/** What a status of Vault says of `what` was asked. Its body is left out: it could repeat what was sent. */
export function explainStatus(status: number, what: string): SecretUnavailable {
  return new SecretUnavailable(`${what}: Vault ${REASONS[status] ?? 'failed'} (status ${status})`);
}
