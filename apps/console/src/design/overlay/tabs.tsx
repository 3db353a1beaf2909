import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import './overlay.css';

type TabsProps = {
  readonly label: string;
  /** Belongs into the URL's search. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly tabs: readonly { readonly value: string; readonly label: string; readonly content: ReactNode }[];
};

export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} className="tab" value={tab.value}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} className="tab-panel" value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
