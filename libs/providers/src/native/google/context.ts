import type { LossReport } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';

export type EncodeContext = {
  /** Whose opaque state may be sent. */
  readonly family: string;
  readonly target: ProviderTarget;
  readonly losses: LossReport;
};
