// What pages are made of. `Chart` is imported from its own file, so that pages without one do not load it.
export { Button, IconButton } from './controls/button';
export { Chip } from './controls/chip';
export { CopyButton } from './controls/copy-button';
export { Select, TextArea, TextField } from './controls/fields';
export { Segments } from './controls/segments';
export { Bar } from './figures/bar';
export { Exact, Money } from './figures/money';
export { Tile } from './figures/tile';
export { Time } from './figures/time';
export { Icon, type IconName } from './icons';
export { ConfirmDialog, Dialog, FormActions } from './overlay/dialog';
export { Menu, type MenuEntry } from './overlay/menu';
export { Popover } from './overlay/popover';
export { Tabs } from './overlay/tabs';
export { showToast } from './overlay/toasts';
export { PageHead } from './page-head';
export { Badge, EmptyState, ErrorState, Loaded, LoadingState, Notice } from './states/states';
export { Table, type Column, type RowLink } from './table/table';
