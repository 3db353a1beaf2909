import { invoiceSettingsOf } from '../../invoices/invoice-settings';
import { describeFinanceDocument, readFinanceDocument } from '../../records/finance-documents';
import { defineRoute, noBody, ok } from '../../route/route';

export const readInvoiceSettings = defineRoute({
  id: 'read-invoice-settings',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const settings = await database
      .asOrganization(organizationId)
      .transact((tx) => readFinanceDocument(tx, invoiceSettingsOf(organizationId)));
    return ok({ invoice_settings: describeFinanceDocument(settings) });
  },
});
