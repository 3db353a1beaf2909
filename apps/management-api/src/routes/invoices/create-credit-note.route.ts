import { creditInvoiceBody } from '@weir/contracts';
import { describeInvoice, issueCreditNote } from '../../invoices/issue-invoice';
import { requireId } from '../../records/require-id';
import { created, defineRoute } from '../../route/route';

export const createCreditNote = defineRoute({
  id: 'create-credit-note',
  body: creditInvoiceBody,
  run: async (call, parts) => {
    const correction = { id: requireId(call.params['id'], 'invoice'), because: call.body.because };
    const credit = await issueCreditNote(parts, { ...call, action: 'create-credit-note' }, correction);
    return created({ invoice: describeInvoice(credit) });
  },
});
