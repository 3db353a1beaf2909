import type { LossReport } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import type { ModelTraits } from './model-traits';

export type EncodeContext = {
  /** Whose opaque state may be sent. */
  readonly family: string;
  readonly target: ProviderTarget;
  readonly losses: LossReport;
  readonly traits: ModelTraits;
  /** The answer is asked for as the input of a tool. */
  readonly hasAnswerTool: boolean;
  /** No tool is offered: earlier calls are written as text. */
  readonly isToolless: boolean;
  readonly nameDocument: (filename: string | undefined) => string;
};
