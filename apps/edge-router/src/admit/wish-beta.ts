import type { IncomingHttpHeaders } from 'node:http';

const BETA_HEADER = 'anthropic-beta';

/** Asks for a preview feature as the official clients do, in a header that goes on to the provider. */
export function wishBeta(headers: IncomingHttpHeaders, beta: string): void {
  const given = headers[BETA_HEADER];
  const betas = (Array.isArray(given) ? given.join(',') : (given ?? ''))
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (!betas.includes(beta)) headers[BETA_HEADER] = [...betas, beta].join(',');
}
