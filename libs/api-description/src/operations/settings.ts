import { auditParameters, updateOrganizationBody } from '@weir/contracts';
import type { Operation } from './operation';
import { auditPage, organizationSettings } from '../schemas/management/replies';
import { nameRequest } from '../schemas/named-schemas';

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
    about: 'Only included fields change. In force on every edge within five seconds.',
    body: nameRequest('UpdateOrganization', updateOrganizationBody),
    isBodyOptional: true,
    responses: { 204: { about: 'Changed.' } },
    examples: [{ summary: 'Shorten replies to what is left of a limit', body: { clamp_to_limit: true }, status: 204 }],
  },
  {
    id: 'list-audit',
    tag: 'Settings',
    summary: 'Who changed what',
    about: 'Newest first.',
    query: auditParameters,
    responses: { 200: { about: 'A page of the audit log.', json: auditPage } },
    examples: [{ summary: 'The last ten changes', query: { limit: '10' }, status: 200 }],
  },
];
