import { createInvoiceBody, creditInvoiceBody, invoiceListParameters, invoiceSettingsBody } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { invoicePreview, invoices, invoiceSettings, oneInvoice } from '../schemas/management/finance';
import { nameRequest } from '../schemas/named-schemas';

const params = { id: EXAMPLE_IDS.invoice };
const body = nameRequest('CreateInvoice', createInvoiceBody);
const parties = {
  seller: { name: 'Platform team', address: ['1 Main Street', '10115 Berlin'], tax_id: 'DE123456789' },
  buyer: { name: 'Research', address: ['2 Side Street', '10117 Berlin'] },
};

export const INVOICE_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-invoice-settings',
    tag: 'Finance',
    summary: 'Read the settings of invoices',
    responses: { 200: { about: 'What is in force.', json: invoiceSettings } },
    examples: [{ summary: 'The settings', status: 200 }],
  },
  {
    id: 'replace-invoice-settings',
    tag: 'Finance',
    summary: 'Replace the settings of invoices',
    about:
      'What invoices have that say nothing else: who bills and is billed, currency, tax, days until payment, a note. Invoices that are issued stay as they are.',
    body: nameRequest('InvoiceSettings', invoiceSettingsBody),
    responses: { 200: { about: 'What is in force now.', json: invoiceSettings } },
    examples: [{ summary: 'Who bills, with tax', body: { seller: parties.seller, tax: { name: 'VAT', rate_percent: '19' } }, status: 200 }],
  },
  {
    id: 'preview-invoice',
    tag: 'Finance',
    summary: 'What an invoice would have on it',
    about:
      'The same as would be issued now, without a number. Nothing is kept. Of a month that runs, or that has to be closed first, it has what was used until now and says `is_preliminary: true`.',
    body,
    responses: { 200: { about: 'The invoice.', json: invoicePreview } },
    errors: ['conflict', 'not_found', 'rate_limited'],
    examples: [
      {
        summary: 'Of a cost centre',
        body: { month: '2026-01', recipient: { kind: 'cost_centre', cost_centre: '4711 Research' }, ...parties },
        status: 200,
      },
    ],
  },
  {
    id: 'create-invoice',
    tag: 'Finance',
    summary: 'Issue an invoice',
    about:
      'Of a month that is over: of the organization, a group, a value of a label, or a cost centre. Its number follows the last one of its series, without gaps. In one series a month is split in one way, and each part is billed once. An invoice is never changed: take it back with a credit note, and issue it anew.',
    body,
    responses: { 201: { about: 'Issued.', json: oneInvoice } },
    errors: ['conflict', 'not_found', 'rate_limited'],
    examples: [
      {
        summary: 'Of a group',
        body: { month: '2026-01', recipient: { kind: 'group', group_id: EXAMPLE_IDS.group }, series: 'TEAM', ...parties },
        status: 201,
      },
    ],
  },
  {
    id: 'list-invoices',
    tag: 'Finance',
    summary: 'List invoices and credit notes',
    query: invoiceListParameters,
    responses: { 200: { about: 'All of them, or a page; the newest last.', json: invoices } },
    examples: [{ summary: 'Those of a month', query: { month: '2026-01' }, status: 200 }],
  },
  {
    id: 'read-invoice',
    tag: 'Finance',
    summary: 'Read one invoice',
    responses: { 200: { about: 'As it was issued.', json: oneInvoice } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'read-invoice-pdf',
    tag: 'Finance',
    summary: 'Download an invoice as PDF',
    about: 'The same bytes each time, with the invoice attached to it as JSON.',
    responses: { 200: { about: 'The file.', media: { 'application/pdf': 'The invoice as pages of A4.' } } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'create-credit-note',
    tag: 'Finance',
    summary: 'Take an invoice back',
    about:
      'Issues a credit note under the next number of the series, with every amount of the invoice the other way round. Its usage can be billed anew.',
    body: nameRequest('CreditInvoice', creditInvoiceBody),
    responses: { 201: { about: 'The credit note.', json: oneInvoice } },
    errors: ['conflict'],
    examples: [{ summary: 'One', params, body: { because: 'a wrong address' }, status: 201 }],
  },
];
