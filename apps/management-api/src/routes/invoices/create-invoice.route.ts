import { createInvoiceBody } from '@weir/contracts';
import { composeInvoice } from '../../invoices/compose-invoice';
import { describeInvoice, issueInvoice } from '../../invoices/issue-invoice';
import { created, defineRoute } from '../../route/route';

export const createInvoice = defineRoute({
  id: 'create-invoice',
  body: createInvoiceBody,
  run: async (call, parts) => {
    const document = await composeInvoice(parts, call);
    const invoice = await issueInvoice(parts, { ...call, action: 'create-invoice' }, { series: call.body.series, document });
    return created({ invoice: describeInvoice(invoice) });
  },
});
