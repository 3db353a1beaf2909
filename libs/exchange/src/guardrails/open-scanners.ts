import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';
import type { ScannerParts } from './ask-scanners';

type ScannerSettings = {
  readonly FETCH_PORTS: readonly number[];
  readonly FETCH_PRIVATE_NETWORKS: readonly string[];
  readonly GUARDRAIL_SCANNER_TIMEOUT_MS: number;
};

/** Questions of one organization at a time, and waiting: as many as its requests. */
const RUNNING_MAX = 64;
const WAITING_MAX = 1024;

/**
 * What guardrails ask scanners by, by a process's settings. Nothing else fetches by it: a caller that names many slow files must
 * not keep scanners from being asked. Throws on a network that is none.
 */
export function openScanners(env: ScannerSettings): ScannerParts {
  const isAllowedAddress = createAddressRule(env.FETCH_PRIVATE_NETWORKS);
  const fetcher = createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress, runningMax: RUNNING_MAX, waitingMax: WAITING_MAX });
  return { fetcher, timeoutMs: env.GUARDRAIL_SCANNER_TIMEOUT_MS };
}
