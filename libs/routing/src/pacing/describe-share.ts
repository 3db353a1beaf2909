import type { Passport } from '@weir/contracts';
import type { FairShare } from './fair-queue';

type Shared = {
  readonly caller?: Pick<Passport['caller'], 'organizationId' | 'apiKeyId'>;
  readonly priority?: Passport['priority'];
  readonly shares?: Passport['shares'];
};

/** Whose turn a request waits for. What its passport does not mention counts as much as usual. */
export function describeShare({ caller, priority = 'normal', shares }: Shared): FairShare {
  return {
    organizationId: caller?.organizationId ?? '',
    organizationShare: shares?.organization ?? 1,
    priority,
    apiKeyId: caller?.apiKeyId ?? '',
    keyShare: shares?.key ?? 1,
  };
}
