import { invoiceSettingsBody, type InvoiceSettingsBody } from '@weir/contracts';

const WITHOUT_SETTINGS: InvoiceSettingsBody = {};

/** Where an organization's settings of invoices are kept. */
export function invoiceSettingsOf(organizationId: string) {
  return { organizationId, kind: 'invoice-settings', schema: invoiceSettingsBody, otherwise: WITHOUT_SETTINGS } as const;
}
