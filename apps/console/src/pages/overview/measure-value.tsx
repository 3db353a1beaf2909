import { Exact, Money } from '../../design';
import { formatCount, formatShortCount } from '../../format/numbers';
import type { Measure } from './overview-search';

type MeasureValueProps = { readonly measure: Measure; readonly value: bigint; readonly isShort?: boolean };

export function MeasureValue({ measure, value, isShort = false }: MeasureValueProps) {
  if (measure === 'spend') return <Money amount={value} />;
  const exact = formatCount(Number(value));
  return <Exact shown={isShort ? formatShortCount(Number(value)) : exact} exact={exact} />;
}
