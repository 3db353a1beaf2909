import { Badge, Money, Notice, Time } from '../../design';
import type { Schemas } from '../../api';
import { useReconciliation } from './usage-queries';

type CompletenessProps = {
  readonly asOf: string | undefined;
  readonly warnings: Schemas['Usage']['warnings'];
};

/** Up to when usage is counted, whether anything is missing of this month, and what was too varied to be kept apart. */
export function Completeness({ asOf, warnings = [] }: CompletenessProps) {
  const { data } = useReconciliation();
  const month = data?.reconciliation;
  const isExplained = month === undefined || /^-?0+(\.0+)?$/.test(month.unexplained_usd);
  return (
    <span className="overview-completeness">
      <span className="row">
        {asOf !== undefined && (
          <span>
            Counted up to <Time at={asOf} form="second" />
          </span>
        )}
        {month?.is_complete === true && isExplained && <Badge kind="good">This month is complete so far</Badge>}
        {month?.is_complete === false && <Badge kind="warn">Some usage waits to be counted</Badge>}
      </span>
      {month !== undefined && !isExplained && (
        <Notice kind="warn">
          The places where {month.month} is written down differ by <Money amount={month.unexplained_usd} />, which nothing explains. Ask the
          operator before you book it.
        </Notice>
      )}
      {warnings.map(({ day, message }) => (
        <Notice key={`${day} ${message}`} kind="warn">
          {day}: {message}
        </Notice>
      ))}
    </span>
  );
}
