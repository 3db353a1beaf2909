import type { DataRules, OrganizationSettings } from '@weir/access';
import { COUNTING_ENDPOINTS, type EndpointRow, type Passport } from '@weir/contracts';

/**
 * Whether contents of such requests are kept at all: their organization wants it, neither it nor the request is under zero
 * retention, and it is text that a model was asked. Pictures, recordings and files are not kept.
 */
export function keepsContents(
  { keepContentsDays = null }: Pick<OrganizationSettings, 'keepContentsDays'>,
  { isZeroRetention }: Pick<DataRules, 'isZeroRetention'>,
  { id, modality }: Pick<EndpointRow, 'id' | 'modality'>,
): boolean {
  if (keepContentsDays === null || isZeroRetention) return false;
  return (modality === 'chat' || modality === 'embedding') && !COUNTING_ENDPOINTS.has(id);
}

type Outcome = {
  /** What the worker reports of the guardrails. */
  readonly verdict: unknown;
  readonly status: number;
};

/**
 * What guardrails took out of a request is kept nowhere. The edge has the request as the caller wrote it, and a reply may have
 * the caller's own values again where the model used their placeholders: of a request that was masked nothing is kept, nor of
 * one that was blocked, could not be scanned, or never came as far.
 */
export function mayKeepGuarded(guardrails: Passport['guardrails'], { verdict, status }: Outcome): boolean {
  if (guardrails === undefined) return true;
  if (verdict === 'passed' || verdict === 'not_scanned') return true;
  if (verdict === 'flagged') return status < 400;
  return verdict === 'masked' && guardrails.every(({ action, stage }) => action !== 'mask' || stage === 'output');
}
