import { getRouteApi } from '@tanstack/react-router';
import { Notice, PageHead, Tabs } from '../../design';
import { readWord } from '../../search-text';
import { useAuthority } from '../administration/use-authority';
import { AccessListsTab } from './access-lists-tab';
import { DataRulesTab } from './data-rules-tab';
import { GuardrailsTab } from './guardrails-tab';
import { KeptContentsPanel } from './kept-contents-panel';
import { PlanTab } from './plan-tab';
import { RoutesTab } from './routes-tab';
import { RULES_TABS, type RulesTab } from './rules-search';
import '../administration/administration.css';
import './rules.css';

const route = getRouteApi('/shell/rules');

const TABS = {
  access: { label: 'Access lists', content: <AccessListsTab /> },
  routes: { label: 'Policies and aliases', content: <RoutesTab /> },
  plan: { label: 'What would happen now', content: <PlanTab /> },
  guardrails: { label: 'Guardrails', content: <GuardrailsTab /> },
  data: {
    label: 'Data rules',
    content: (
      <div className="rules-data">
        <DataRulesTab />
        <KeptContentsPanel />
      </div>
    ),
  },
} as const satisfies Record<RulesTab, unknown>;

/** Rules are read by administrators of the organization; what its own requests would do, by every key. */
export function RulesPage() {
  const { seesAll } = useAuthority();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tab = seesAll ? (search.tab ?? 'access') : 'plan';
  const choose = (value: string): void => {
    const next = readWord(value, RULES_TABS);
    void navigate({
      search: ({ tab: _, ...old }) => (next === undefined || next === 'access' ? old : { ...old, tab: next }),
      replace: true,
    });
  };
  return (
    <>
      <PageHead title="Rules" about="Which models may be used, by which way, and what is looked for in the words." />
      {seesAll ? (
        <Tabs label="Rules" value={tab} onChange={choose} tabs={RULES_TABS.map((value) => ({ value, ...TABS[value] }))} />
      ) : (
        <>
          <Notice>The rules themselves are shown to administrators of the organization. This is what they do to your requests.</Notice>
          <PlanTab />
        </>
      )}
    </>
  );
}
