import { getRouteApi } from '@tanstack/react-router';
import { PageHead, Tabs } from '../../design';
import { readWord } from '../../search-text';
import { AlertsTab } from './alerts-tab';
import { BalanceTab } from './balance-panel';
import { EstimatePanel } from './estimate-panel';
import { MONEY_TABS } from './money-search';
import { MonthClose } from './month-close';
import '../administration/administration.css';
import './money.css';

const route = getRouteApi('/shell/money');

export function MoneyPage() {
  const { tab = 'balance' } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (value: string): void => {
    const next = readWord(value, MONEY_TABS);
    void navigate({
      search: ({ tab: _, ...old }) => (next === undefined || next === 'balance' ? old : { ...old, tab: next }),
      replace: true,
    });
  };
  const tabs = [
    { value: 'balance', label: 'Balance', content: <BalanceTab /> },
    { value: 'months', label: 'Month close and files', content: <MonthClose /> },
    { value: 'alerts', label: 'Alerts', content: <AlertsTab /> },
    { value: 'estimate', label: 'Estimate', content: <EstimatePanel /> },
  ];
  return (
    <>
      <PageHead title="Money" about="What is left, what moved it, and the months for the books." />
      <Tabs label="Money" value={tab} onChange={choose} tabs={tabs} />
    </>
  );
}
