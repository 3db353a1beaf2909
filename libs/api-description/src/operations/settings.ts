import {
  auditExportParameters,
  auditParameters,
  auditVerificationParameters,
  previewOrganizationBody,
  updateOrganizationBody,
} from '@weir/contracts';
import type { Operation } from './operation';
import { auditPage, auditVerification, organizationSettings, requestContents } from '../schemas/management/replies';
import { organizationPreview } from '../schemas/management/previews';
import { nameRequest } from '../schemas/named-schemas';
import { EXAMPLE_IDS } from './example-ids';

export const SETTING_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-organization',
    tag: 'Settings',
    summary: 'Read the settings of the organization',
    responses: { 200: { about: 'The settings.', json: organizationSettings } },
    examples: [{ summary: 'All of them', status: 200 }],
  },
  {
    id: 'update-organization',
    tag: 'Settings',
    summary: 'Change settings of the organization',
    about:
      'Only included fields change. In force on every edge within five seconds. Another `budget_mode` carries limits over: what each member of a group may spend holds on, and a group’s budget, which Global mode does not have, refuses the switch (409, with the groups in `problems`) until a limit of the table with the scope `group` takes its place or it is taken away. `POST /v1/manage/org/preview` shows all of that beforehand.',
    body: nameRequest('UpdateOrganization', updateOrganizationBody),
    isBodyOptional: true,
    responses: { 204: { about: 'Changed.' } },
    errors: ['conflict'],
    examples: [{ summary: 'Shorten replies to what is left of a limit', body: { clamp_to_limit: true }, status: 204 }],
  },
  {
    id: 'preview-organization',
    tag: 'Settings',
    summary: 'What settings would shut out or change',
    about:
      'Which models of the catalogue requests could use with other data rules or approved models, and why not the rest. With `budget_mode`, also what becomes of the limits of groups and members. Nothing is kept. Fields left out are as they are in force. A model may be out of reach for other reasons: access lists, or no account with its provider.',
    body: nameRequest('PreviewOrganization', previewOrganizationBody),
    isBodyOptional: true,
    responses: { 200: { about: 'What they would let in and shut out.', json: organizationPreview } },
    examples: [
      { summary: 'Data that has to stay in the EU', body: { data_residency: 'eu' }, status: 200 },
      { summary: 'Budgets of groups', body: { budget_mode: 'group' }, status: 200 },
    ],
  },
  {
    id: 'read-contents',
    tag: 'Settings',
    summary: 'Contents of a request',
    about:
      'What was sent and returned, where the organization keeps that (`keep_contents_days`); the rest of a request is at `GET /v1/generation/{request_id}`. For keys with the permission `contents: read`, which no key has unless an administrator of the organization gave it: of administrators all requests, of others their own and those of their member. Each reading is in the audit log. Of pictures, sound and files nothing is kept, nor of what was under zero retention or masked or blocked by a guardrail.',
    responses: { 200: { about: 'Both bodies, as text.', json: requestContents } },
    examples: [{ summary: 'One', params: { request_id: EXAMPLE_IDS.keptRequest }, status: 200 }],
  },
  {
    id: 'list-audit',
    tag: 'Settings',
    summary: 'Who changed what',
    about:
      'Newest first. All filters that are given have to hold. For one page at most 20,000 entries are looked at, so that a page can be short, or empty, and not be the last: `next` says whether it is.',
    query: auditParameters,
    responses: { 200: { about: 'A page of the audit log.', json: auditPage } },
    examples: [
      { summary: 'The last ten changes', query: { limit: '10' }, status: 200 },
      {
        summary: 'Changes of one day that have to do with a team',
        query: { start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z', search: 'research' },
        status: 200,
      },
    ],
  },
  {
    id: 'export-audit',
    tag: 'Settings',
    summary: 'Download the audit log',
    about: 'All entries that the filters select, newest first.',
    query: auditExportParameters,
    responses: {
      200: {
        about: 'The file.',
        media: {
          'text/csv; charset=utf-8; header=present': 'One line an entry; what was there before and after as JSON.',
          'application/json; charset=utf-8': 'The entries as a list.',
        },
      },
    },
    errors: ['rate_limited'],
    examples: [
      { summary: 'As CSV', status: 200 },
      { summary: 'What happened to keys, as JSON', query: { format: 'json', target_kind: 'api-key' }, status: 200 },
    ],
  },
  {
    id: 'verify-audit',
    tag: 'Settings',
    summary: 'Verify the audit log',
    about:
      'The hash of every entry covers the entry before it. They are computed anew, oldest first and in bounded steps: go on with `next` until it is null. The last step also compares the log with the count that the database keeps beside it.',
    query: auditVerificationParameters,
    responses: { 200: { about: 'What this step found.', json: auditVerification } },
    examples: [{ summary: 'The first step', status: 200 }],
  },
];
