import { createProviderCredentialBody, pageParameters, rotateProviderCredentialBody } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { createdId, credentials, credentialTest, oneCredential, providers } from '../schemas/management/replies';
import { nameRequest } from '../schemas/named-schemas';

const params = { id: EXAMPLE_IDS.credential };

export const PROVIDER_CREDENTIAL_OPERATIONS: readonly Operation[] = [
  {
    id: 'list-providers',
    tag: 'Provider credentials',
    summary: 'List the providers, and how they do',
    about:
      'Which are set up, what the others need, and their health as the processes see it that call them: each reports every few seconds. Of other organizations’ own accounts nothing is shown, and of the gateway’s no numbers of requests.',
    responses: { 200: { about: 'All providers there are.', json: providers } },
    examples: [{ summary: 'All of them', status: 200 }],
  },
  {
    id: 'create-provider-credential',
    tag: 'Provider credentials',
    summary: 'Keep an account at a provider',
    about:
      'Sealed; never shown again but for its last four characters. `prefer`: this account first, the gateway’s when it fails. `only`: never the gateway’s.',
    body: nameRequest('CreateProviderCredential', createProviderCredentialBody),
    responses: { 201: { about: 'Kept.', json: createdId } },
    errors: ['conflict'],
    examples: [{ summary: 'An API key', body: { provider: 'fireworks', api_key: 'fw_0123456789abcdef', mode: 'prefer' }, status: 201 }],
  },
  {
    id: 'list-provider-credentials',
    tag: 'Provider credentials',
    summary: 'List provider credentials',
    query: pageParameters,
    responses: { 200: { about: 'The credentials, without their secrets.', json: credentials } },
    examples: [{ summary: 'All of them', status: 200 }],
  },
  {
    id: 'read-provider-credential',
    tag: 'Provider credentials',
    summary: 'Read a provider credential',
    responses: { 200: { about: 'The credential, without its secret.', json: oneCredential } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'rotate-provider-credential',
    tag: 'Provider credentials',
    summary: 'Replace the secret of a provider credential',
    body: nameRequest('RotateProviderCredential', rotateProviderCredentialBody),
    responses: { 200: { about: 'The credential, without its secret.', json: oneCredential } },
    errors: ['conflict'],
    examples: [{ summary: 'A new API key', params, body: { api_key: 'fw_fedcba9876543210' }, status: 200 }],
  },
  {
    id: 'test-provider-credential',
    tag: 'Provider credentials',
    summary: 'Ask the provider whether a credential works',
    about: 'Bills nothing. For a credential that does not work the response is still 200, with the reason in `why`.',
    responses: { 200: { about: 'What the provider said.', json: credentialTest } },
    errors: ['dependency_down'],
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'delete-provider-credential',
    tag: 'Provider credentials',
    summary: 'Forget a provider credential',
    responses: { 204: { about: 'Forgotten.' } },
    examples: [{ summary: 'One', params, status: 204 }],
  },
];
