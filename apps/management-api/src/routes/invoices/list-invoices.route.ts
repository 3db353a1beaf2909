import { invoiceListParameters } from '@weir/contracts';
import { parseBody } from '../../bodies/parse-body';
import { describeInvoice } from '../../invoices/issue-invoice';
import { cutPage, readPagePlan, selectPage } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route/route';

export const listInvoices = defineRoute({
  id: 'list-invoices',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const { month, series, limit, cursor } = parseBody(invoiceListParameters, query);
    const plan = readPagePlan({ limit, cursor });
    const { where, ...page } = selectPage(plan, 'id');
    const only = { ...(month === undefined ? {} : { month }), ...(series === undefined ? {} : { series }) };
    const found = await database
      .asOrganization(organizationId)
      .transact((tx) => tx.invoice.findMany({ where: { organizationId, ...only, ...where }, ...page }));
    const { rows, more } = cutPage(found, plan, (invoice) => invoice);
    return ok({ invoices: rows.map(describeInvoice), ...more });
  },
});
