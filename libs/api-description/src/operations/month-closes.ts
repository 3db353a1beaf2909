import { closeMonthBody, monthCloseParameters, reopenMonthBody } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { monthCloseReply, monthCloseState, reopenedMonth } from '../schemas/management/finance';
import { nameRequest } from '../schemas/named-schemas';

export const MONTH_CLOSE_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-month-close',
    tag: 'Finance',
    summary: 'Read a month, and what keeps it from being closed',
    about: 'A closed month as it was closed; of an open one what it comes to by now, and the checklist with what is open.',
    query: monthCloseParameters,
    responses: { 200: { about: 'The month.', json: monthCloseState } },
    errors: ['conflict', 'rate_limited'],
    examples: [{ summary: 'A month', query: { month: '2026-10' }, status: 200 }],
  },
  {
    id: 'close-month',
    tag: 'Finance',
    summary: 'Close a month',
    about:
      'Fixes what it comes to, by cost centre, at the prices and rules of now. Refused while anything of the checklist is open: `error.problems` names each item. Months are closed one after the other. What arrives later is in the next open month, as an adjustment.',
    body: nameRequest('CloseMonth', closeMonthBody),
    responses: { 200: { about: 'Closed.', json: monthCloseReply } },
    errors: ['conflict', 'rate_limited'],
    examples: [{ summary: 'The next one', body: { month: EXAMPLE_IDS.monthToClose }, status: 200 }],
  },
  {
    id: 'reopen-month',
    tag: 'Finance',
    summary: 'Reopen the last month that was closed',
    about: 'What it was closed with stays kept, and the audit log has the reason.',
    body: nameRequest('ReopenMonth', reopenMonthBody),
    responses: { 200: { about: 'Open again.', json: reopenedMonth } },
    errors: ['conflict'],
    examples: [{ summary: 'The last one', body: { month: EXAMPLE_IDS.closedMonth, because: 'a cost centre was missing' }, status: 200 }],
  },
];
