import { createInvoiceBody } from '@weir/contracts';
import { previewInvoice as preview } from '../../invoices/compose-invoice';
import { defineRoute, ok } from '../../route/route';

/** The same as would be issued, without a number: nothing is kept. */
export const previewInvoice = defineRoute({
  id: 'preview-invoice',
  body: createInvoiceBody,
  run: async (call, parts) => ok({ invoice: await preview(parts, call) }),
});
