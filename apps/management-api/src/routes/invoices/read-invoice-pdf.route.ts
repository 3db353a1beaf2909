import { encodeInvoicePdf } from '../../invoices/encode-invoice-pdf';
import type { InvoiceDocument } from '../../invoices/invoice-document';
import { findInvoice } from '../../invoices/issue-invoice';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody } from '../../route/route';

/** Made of the invoice as it is kept, so that it is the same each time. */
export const readInvoicePdf = defineRoute({
  id: 'read-invoice-pdf',
  body: noBody,
  run: async ({ organizationId, params }, { database }) => {
    const id = requireId(params['id'], 'invoice');
    const invoice = await database.asOrganization(organizationId).transact((tx) => findInvoice(tx, organizationId, id));
    const document = invoice.document as unknown as InvoiceDocument;
    const bytes = await encodeInvoicePdf(document, invoice.createdAt);
    return {
      status: 200,
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${document.number ?? id}.pdf"`,
      },
      stream: { chunks: once(bytes), close: () => Promise.resolve() },
    };
  },
});

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
