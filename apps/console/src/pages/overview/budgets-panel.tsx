import { Link } from '@tanstack/react-router';
import { Badge, Bar, ListExport, Loaded, Money } from '../../design';
import { toApiError, type Schemas } from '../../api';
import type { CsvColumn } from '../../format/csv';
import { formatMoney, parseUsd, writeMoney } from '../../format/money';
import { findShare } from '../../format/numbers';
import { projectMonth } from './project-month';
import { useGroups } from './usage-queries';

type Group = Schemas['Groups']['groups'][number];
type Budget = {
  readonly id: string;
  readonly name: string;
  readonly spent: bigint;
  readonly budget: bigint;
  readonly projected: bigint | null;
};

/** Groups with a budget, those nearest to its end first. Nothing at all where there is none, or where the caller may not list groups. */
export function BudgetsPanel({ now }: { readonly now: Date }) {
  const groups = useGroups();
  if (groups.error !== null && toApiError(groups.error).status === 403) return null;
  return (
    <Loaded query={groups} loading={null}>
      {({ groups: all }) => {
        const budgets = listBudgets(all, now);
        if (budgets.length === 0) return null;
        return (
          <section className="panel" aria-labelledby="budgets">
            <div className="panel-body spread">
              <div>
                <h2 id="budgets">Budgets of this month</h2>
                <p className="quiet">
                  The hatched part is where the month ends if it goes on as it did. Filters and range do not apply here.
                </p>
              </div>
              <ListExport name="budgets" columns={EXPORTED} rows={budgets} />
            </div>
            <ul className="overview-budgets">
              {budgets.map((budget) => (
                <BudgetLine key={budget.id} {...budget} />
              ))}
            </ul>
          </section>
        );
      }}
    </Loaded>
  );
}

function listBudgets(groups: readonly Group[], now: Date): Budget[] {
  return groups
    .filter(({ monthly_budget: budget = 0 }) => budget > 0)
    .map(({ id, name, monthly_budget: budget = 0, monthly_spend: spend }) => {
      const spent = parseUsd(spend);
      return { id, name, spent, budget: parseUsd(budget), projected: projectMonth(spent, now) };
    })
    .sort((a, b) => findShare(b.spent, b.budget) - findShare(a.spent, a.budget));
}

const EXPORTED: readonly CsvColumn<Budget>[] = [
  ['group_id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['spent_usd', ({ spent }) => writeMoney(spent)],
  ['budget_usd', ({ budget }) => writeMoney(budget)],
  ['projected_usd', ({ projected }) => (projected === null ? null : writeMoney(projected))],
];

function BudgetLine({ id, name, spent, budget, projected }: Budget) {
  const kind = spent >= budget ? 'bad' : projected !== null && projected > budget ? 'warn' : 'normal';
  const label = `${name}: ${formatMoney(spent)} of ${formatMoney(budget)}`;
  return (
    <li>
      <div className="spread">
        <span className="row">
          <Link to="/" search={{ range: 'month', filter: [`group_id=${id}`] }}>
            <strong>{name}</strong>
            <span className="visually-hidden">: what it spent this month</span>
          </Link>
          {kind === 'bad' && <Badge kind="bad">Used up</Badge>}
          {kind === 'warn' && <Badge kind="warn">Will not last the month</Badge>}
        </span>
        <span className="number">
          <Money amount={spent} /> <span className="quiet">of</span> <Money amount={budget} />
          {projected !== null && (
            <span className="quiet">
              {' '}
              · projected <Money amount={projected} />
            </span>
          )}
        </span>
      </div>
      <Bar
        label={label}
        share={findShare(spent, budget)}
        expected={projected === null ? undefined : findShare(projected, budget)}
        kind={kind}
      />
    </li>
  );
}
