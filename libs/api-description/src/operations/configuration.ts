import { configurationDocument, configurationExportParameters, configurationParameters } from '@weir/contracts';
import { configurationOutcome, exportedConfiguration } from '../schemas/management/configuration';
import { nameRequest } from '../schemas/named-schemas';
import type { Operation } from './operation';

const document = nameRequest(
  'Configuration',
  configurationDocument,
  'What an organization is to look like. Objects are named by what people call them, and so are references between them.',
);

const head = { apiVersion: 'weir/v1', kind: 'Configuration', metadata: { name: 'platform' } };

export const CONFIGURATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'export-configuration',
    tag: 'Settings',
    summary: 'Read everything as one document',
    about:
      'All that a configuration may hold, as a document that would change nothing. Secrets are left out: it names variables to put them in.',
    query: configurationExportParameters,
    responses: {
      200: {
        about: 'The document.',
        json: exportedConfiguration,
        media: { 'application/yaml; charset=utf-8': 'The same, with `format=yaml`.' },
      },
    },
    examples: [{ summary: 'As JSON', status: 200 }],
  },
  {
    id: 'preview-configuration',
    tag: 'Settings',
    summary: 'What a document would change',
    about: 'Every step is tried, with all checks, and taken back. The body may be YAML (`application/yaml`).',
    query: configurationParameters,
    body: document,
    responses: { 200: { about: 'The steps.', json: configurationOutcome } },
    errors: ['conflict', 'rate_limited'],
    examples: [
      {
        summary: 'A group with a budget',
        query: { prune: 'true' },
        body: { ...head, groups: [{ name: 'Previewed', monthly_limit: 100, labels: { team: 'previewed' } }] },
        status: 200,
      },
    ],
  },
  {
    id: 'apply-configuration',
    tag: 'Settings',
    summary: 'Make the organization what a document says',
    about:
      'All of it or nothing, in one transaction; the same document a second time changes nothing. A section that is left out is left alone, and so is what a section does not list, unless `prune` is asked for: that takes away what a configuration of this name made before. What another configuration looks after is a conflict, unless `adopt` is asked for. An error names everything that is wrong in `problems`. The body may be YAML (`application/yaml`). Keys get their values here, which the response shows once.',
    query: configurationParameters,
    body: document,
    responses: { 200: { about: 'What was done.', json: configurationOutcome } },
    errors: ['conflict', 'rate_limited'],
    examples: [
      {
        summary: 'An access list, and a key that has it',
        body: {
          ...head,
          access_lists: [{ name: 'Configured', chat: ['sandbox/*'] }],
          keys: [{ name: 'Configured', access_list: 'Configured', monthly_limit: 20 }],
        },
        status: 200,
      },
    ],
  },
];
