import { Button } from '../controls/button';
import { Icon } from '../icons';
import { Menu, type MenuEntry } from './menu';

type RowMenuProps = {
  /** What it offers, and of which row: "Change or revoke crawler". */
  readonly label: string;
  readonly entries: readonly MenuEntry[];
};

/** What can be done with one row of a list. */
export function RowMenu({ label, entries }: RowMenuProps) {
  const trigger = (
    <Button kind="plain" className="button-icon row-menu" aria-label={label}>
      <Icon name="more" />
    </Button>
  );
  return <Menu trigger={trigger} entries={entries} />;
}
