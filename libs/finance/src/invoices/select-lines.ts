import { assignCostCentre, type CostCentreRules } from '../lines/assign-cost-centre';
import type { PricedLine } from '../lines/priced-line';

/** Whose usage an invoice is about. */
export type Recipient =
  | { readonly kind: 'organization' }
  | { readonly kind: 'group'; readonly group_id: string }
  | { readonly kind: 'label'; readonly label: string; readonly value: string }
  | { readonly kind: 'cost_centre'; readonly cost_centre: string };

/** The lines that are a recipient's. Of a label: those of keys that have the value, else of groups. */
export function selectLines(lines: readonly PricedLine[], recipient: Recipient): PricedLine[] {
  switch (recipient.kind) {
    case 'organization':
      return [...lines];
    case 'group':
      return lines.filter(({ groupId }) => groupId === recipient.group_id);
    case 'label': {
      const byLabel: CostCentreRules = { label: recipient.label, rules: [], default: '' };
      return lines.filter((line) => assignCostCentre(byLabel, line).costCentre === recipient.value);
    }
    case 'cost_centre':
      return lines.filter(({ costCentre }) => costCentre === recipient.cost_centre);
  }
}

/**
 * How a recipient is kept: what it is one of, and which. Of recipients of one kind (of one label) each has usage of its own, so
 * that invoices to them never charge anything twice.
 */
export function nameRecipient(recipient: Recipient): { readonly kind: string; readonly name: string } {
  switch (recipient.kind) {
    case 'organization':
      return { kind: 'organization', name: 'organization' };
    case 'group':
      return { kind: 'group', name: `group:${recipient.group_id}` };
    case 'label':
      return { kind: `label:${recipient.label}`, name: `label:${recipient.label}=${recipient.value}` };
    case 'cost_centre':
      return { kind: 'cost_centre', name: `cost_centre:${recipient.cost_centre}` };
  }
}
