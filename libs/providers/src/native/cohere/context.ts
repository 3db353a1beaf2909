import type { LossReport } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';

export type EncodeContext = { readonly target: ProviderTarget; readonly losses: LossReport };
