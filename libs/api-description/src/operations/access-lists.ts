import { createAccessListBody, pageParameters, previewAccessListBody, updateAccessListBody } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { accessLists, changedAccessList, createdAccessList, oneAccessList } from '../schemas/management/replies';
import { accessListPreview } from '../schemas/management/previews';
import { nameRequest } from '../schemas/named-schemas';

const params = { id: EXAMPLE_IDS.accessList };

export const ACCESS_LIST_OPERATIONS: readonly Operation[] = [
  {
    id: 'create-access-list',
    tag: 'Access lists',
    summary: 'Create an access list',
    about:
      'A pattern is a model id, or one with `*`. With `auto_approve`, a pattern also allows models that are added later. An entry under `chat` may be `policy/<name>`, `policy/*` or an alias: it allows the models that the name leads to, for requests that use the name. Entries that allow nothing are listed in `warnings`. Groups and access lists are created with 200, everything else with 201.',
    body: nameRequest('CreateAccessList', createAccessListBody),
    responses: { 200: { about: 'Created.', json: createdAccessList } },
    examples: [{ summary: 'A vendor’s chat models', body: { name: 'Sandbox only', auto_approve: true, chat: ['sandbox/*'] }, status: 200 }],
  },
  {
    id: 'list-access-lists',
    tag: 'Access lists',
    summary: 'List access lists',
    query: pageParameters,
    responses: { 200: { about: 'The lists.', json: accessLists } },
    examples: [{ summary: 'The first ten', query: { limit: '10' }, status: 200 }],
  },
  {
    id: 'preview-access-list',
    tag: 'Access lists',
    summary: 'What patterns let in',
    about:
      'The models that a list with these patterns would let in as things stand, and the policies and aliases that it names. Nothing is kept. With `auto_approve`, models that are added later come to it.',
    body: nameRequest('PreviewAccessList', previewAccessListBody),
    isBodyOptional: true,
    responses: { 200: { about: 'What they let in.', json: accessListPreview } },
    examples: [{ summary: 'A vendor’s chat models', body: { chat: ['sandbox/*'] }, status: 200 }],
  },
  {
    id: 'read-access-list',
    tag: 'Access lists',
    summary: 'Read an access list',
    responses: { 200: { about: 'The list.', json: oneAccessList } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'update-access-list',
    tag: 'Access lists',
    summary: 'Change an access list',
    about: 'Only included fields change; an included array replaces the stored one. Entries that allow nothing are listed in `warnings`.',
    body: nameRequest('UpdateAccessList', updateAccessListBody),
    isBodyOptional: true,
    responses: { 200: { about: 'The changed list.', json: changedAccessList } },
    examples: [{ summary: 'Let an embedding model in', params, body: { embedding: ['sandbox/embedding'] }, status: 200 }],
  },
  {
    id: 'delete-access-list',
    tag: 'Access lists',
    summary: 'Delete an access list',
    about: 'Refused with 409 while a key or group uses it.',
    responses: { 204: { about: 'Deleted.' } },
    errors: ['conflict'],
    examples: [{ summary: 'One that no one uses', params: { id: EXAMPLE_IDS.unusedAccessList }, status: 204 }],
  },
];
