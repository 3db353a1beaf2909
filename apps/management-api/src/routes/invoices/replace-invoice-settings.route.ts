import { invoiceSettingsBody } from '@weir/contracts';
import { checkCurrency } from '../../finance/day-rates';
import { invoiceSettingsOf } from '../../invoices/invoice-settings';
import { describeFinanceDocument, replaceFinanceDocument } from '../../records/finance-documents';
import { defineRoute, ok } from '../../route/route';

export const replaceInvoiceSettings = defineRoute({
  id: 'replace-invoice-settings',
  body: invoiceSettingsBody,
  run: async (call, parts) => {
    const { organizationId, body: document } = call;
    checkCurrency(document.currency ?? 'USD');
    const replaced = await replaceFinanceDocument(
      parts,
      { ...call, action: 'replace-invoice-settings' },
      { ...invoiceSettingsOf(organizationId), document, check: () => Promise.resolve() },
    );
    return ok({ invoice_settings: describeFinanceDocument(replaced) });
  },
});
