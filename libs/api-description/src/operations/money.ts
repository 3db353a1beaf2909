import { alertDeliveryParameters, autoTopUpBody, balanceHistoryParameters, createAlertBody, pageParameters } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { alertDeliveries, alerts, autoTopUpReply, balance, balanceHistory, createdAlert } from '../schemas/management/replies';
import { nameRequest } from '../schemas/named-schemas';

export const MONEY_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-balance',
    tag: 'Money',
    summary: 'Read the balance',
    responses: { 200: { about: 'What is left, by kind of money.', json: balance } },
    examples: [{ summary: 'The balance', status: 200 }],
  },
  {
    id: 'list-balance-history',
    tag: 'Money',
    summary: 'What moved the balance',
    about: 'Newest first.',
    query: balanceHistoryParameters,
    responses: { 200: { about: 'A page of postings.', json: balanceHistory } },
    examples: [{ summary: 'The last ten', query: { limit: '10' }, status: 200 }],
  },
  {
    id: 'read-auto-top-up',
    tag: 'Money',
    summary: 'Read the settings of automatic top-ups',
    responses: { 200: { about: 'The settings.', json: autoTopUpReply } },
    examples: [{ summary: 'The settings', status: 200 }],
  },
  {
    id: 'set-auto-top-up',
    tag: 'Money',
    summary: 'Set automatic top-ups',
    body: nameRequest('SetAutoTopUp', autoTopUpBody),
    responses: { 200: { about: 'The settings.', json: autoTopUpReply } },
    examples: [
      { summary: 'Twenty dollars whenever less than five are left', body: { threshold: 5, amount: 20, monthly_cap: 100 }, status: 200 },
    ],
  },
  {
    id: 'create-alert',
    tag: 'Money',
    summary: 'Create an alert',
    about:
      'A webhook that is called once when a limit or balance crosses the threshold. Its calls are signed with the secret in this response.',
    body: nameRequest('CreateAlert', createAlertBody),
    responses: { 201: { about: 'Created.', json: createdAlert } },
    errors: ['conflict', 'not_found'],
    examples: [
      {
        summary: 'At 80 % of a key’s monthly limit',
        body: { scope: 'key', api_key_id: EXAMPLE_IDS.apiKey, percentage: 80, url: 'https://hooks.example.com/weir' },
        status: 201,
      },
    ],
  },
  {
    id: 'list-alerts',
    tag: 'Money',
    summary: 'List alerts',
    query: pageParameters,
    responses: { 200: { about: 'The alerts.', json: alerts } },
    examples: [{ summary: 'All of them', status: 200 }],
  },
  {
    id: 'list-alert-deliveries',
    tag: 'Money',
    summary: 'List what an alert has reported',
    about: 'Newest first: each crossing that was noticed, and what became of the calls that report it.',
    query: alertDeliveryParameters,
    responses: { 200: { about: 'A page of deliveries.', json: alertDeliveries } },
    examples: [{ summary: 'The last ten', params: { id: EXAMPLE_IDS.alert }, query: { limit: '10' }, status: 200 }],
  },
  {
    id: 'delete-alert',
    tag: 'Money',
    summary: 'Delete an alert',
    responses: { 204: { about: 'Deleted.' } },
    examples: [{ summary: 'One', params: { id: EXAMPLE_IDS.alert }, status: 204 }],
  },
];
