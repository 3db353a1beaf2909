import { formatMoney, formatMoneyExactly, parseMoney, parseUsd } from '../../format/money';
import './figures.css';

type MoneyProps = {
  /** Pico-dollars, the API's decimal text, or a limit's JSON number of USD. */
  readonly amount: bigint | string | number;
};

function read(amount: MoneyProps['amount']): bigint {
  if (typeof amount === 'bigint') return amount;
  return typeof amount === 'string' ? parseMoney(amount) : parseUsd(amount);
}

/** Rounded for sight, exact on hover, on focus and to screen readers. */
export function Money({ amount }: MoneyProps) {
  const pico = read(amount);
  const rounded = formatMoney(pico);
  const exact = formatMoneyExactly(pico);
  if (rounded === exact) return <span className="number">{rounded}</span>;
  return <Exact shown={rounded} exact={exact} />;
}

/** Any figure that is shown shorter than it is. */
export function Exact({ shown, exact }: { readonly shown: string; readonly exact: string }) {
  if (shown === exact) return <span className="number">{shown}</span>;
  return (
    <span className="number exact" data-tip={exact} tabIndex={0}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{exact}</span>
    </span>
  );
}
