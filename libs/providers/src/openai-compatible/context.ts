import type { LossReport } from '@weir/canonical';
import type { ProviderTarget } from '../provider/target';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

export type EncodeContext = { readonly provider: CompatibleProvider; readonly target: ProviderTarget; readonly losses: LossReport };
