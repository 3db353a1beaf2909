import {
  alertDeliveryParameters,
  refusalListParameters,
  autoTopUpBody,
  balanceHistoryParameters,
  createAlertBody,
  pageParameters,
  updateAlertBody,
} from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { alertDeliveries, alertReply, alerts, alertTest, createdAlert, refusals } from '../schemas/management/alerts';
import { autoTopUpReply, balance, balanceHistory } from '../schemas/management/replies';
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
      'Sends a notice when spending, a limit or a balance crosses the threshold, or when an hour is far above what is usual: to a webhook, whose calls are signed with the secret in this response, to an address that takes messages as Slack does (`slack`), or by e-mail (`to`), where the gateway has a mail server.',
    body: nameRequest('CreateAlert', createAlertBody),
    responses: { 201: { about: 'Created.', json: createdAlert } },
    errors: ['conflict', 'not_found'],
    examples: [
      {
        summary: 'At 80 % of a key’s monthly limit',
        body: { scope: 'key', api_key_id: EXAMPLE_IDS.apiKey, percentage: 80, url: 'https://hooks.example.com/weir' },
        status: 201,
      },
      {
        summary: 'An unusual hour of any key, as a message',
        body: {
          scope: 'anomaly',
          sensitivity: 'medium',
          min_amount: 5,
          channel: 'slack',
          url: 'https://hooks.example.com/services/T0/B0/x',
        },
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
    id: 'list-refusals',
    tag: 'Money',
    summary: 'List refused requests',
    about:
      'Requests that the gateway refused before anything was passed on, newest first: by permissions, access lists, unknown models, limits, rates, the balance or overload (402, 403, 404, 412, 429, 503). They are in no usage and cost nothing. Kept for a week, at most sixty a minute from each process and the latest ten thousand; shown within seconds. What is wrong with a request itself (400) is not in it, nor what a guardrail or a provider refused.',
    query: refusalListParameters,
    responses: { 200: { about: 'A page of refusals.', json: refusals } },
    examples: [{ summary: 'The last ten', query: { limit: '10' }, status: 200 }],
  },
  {
    id: 'update-alert',
    tag: 'Money',
    summary: 'Change an alert',
    about:
      'What is named takes the place of what was; what it watches and its channel stay. What was reported for a period is not reported again.',
    body: nameRequest('UpdateAlert', updateAlertBody),
    responses: { 200: { about: 'The alert.', json: alertReply } },
    examples: [
      {
        summary: 'Again every day, and when it is over',
        params: { id: EXAMPLE_IDS.alert },
        body: { repeat_hours: 24, notify_recovery: true },
        status: 200,
      },
    ],
  },
  {
    id: 'test-alert',
    tag: 'Money',
    summary: 'Send a test notice',
    about:
      'By the way that notices of the alert go, once, and says what happened. Ten times a minute at most, and each alert every ten seconds.',
    responses: { 200: { about: 'What happened; `pending` where nothing sent it in 15 seconds.', json: alertTest } },
    errors: ['rate_limited'],
    examples: [{ summary: 'One', params: { id: EXAMPLE_IDS.alert }, status: 200 }],
  },
  {
    id: 'delete-alert',
    tag: 'Money',
    summary: 'Delete an alert',
    responses: { 204: { about: 'Deleted.' } },
    examples: [{ summary: 'One', params: { id: EXAMPLE_IDS.alert }, status: 204 }],
  },
];
