import type { ScannerParts } from '@weir/exchange';
import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';

type GuardrailSettings = {
  readonly FETCH_PORTS: readonly number[];
  readonly FETCH_PRIVATE_NETWORKS: readonly string[];
  readonly GUARDRAIL_SCANNER_TIMEOUT_MS: number;
};

/** What guardrails need to ask scanners, by a process's settings. Throws on a network that is none. */
export function openGuardrails(env: GuardrailSettings): ScannerParts {
  const isAllowedAddress = createAddressRule(env.FETCH_PRIVATE_NETWORKS);
  return { fetcher: createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress }), timeoutMs: env.GUARDRAIL_SCANNER_TIMEOUT_MS };
}
