import { describeInvoice, findInvoice } from '../../invoices/issue-invoice';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

export const readInvoice = defineRoute({
  id: 'read-invoice',
  body: noBody,
  run: async ({ organizationId, params }, { database }) => {
    const id = requireId(params['id'], 'invoice');
    const invoice = await database.asOrganization(organizationId).transact((tx) => findInvoice(tx, organizationId, id));
    return ok({ invoice: describeInvoice(invoice) });
  },
});
