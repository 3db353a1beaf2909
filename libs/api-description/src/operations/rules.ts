import {
  createAliasBody,
  createPolicyBody,
  guardrailBody,
  pageParameters,
  replaceAliasBody,
  replacePolicyBody,
  testGuardrailBody,
} from '@weir/contracts';
import type { z } from 'zod';
import { EXAMPLE_IDS } from './example-ids';
import type { Example, Operation, Tag } from './operation';
import { aliases, createdId, guardrails, oneAlias, oneGuardrail, onePolicy, policies } from '../schemas/management/replies';
import { guardrailTest } from '../schemas/management/previews';
import { nameRequest } from '../schemas/named-schemas';

type RuleKind = {
  readonly kind: 'policy' | 'alias' | 'guardrail';
  readonly plural: string;
  readonly tag: Tag;
  readonly about: string;
  readonly createBody: z.ZodType;
  readonly replaceBody: z.ZodType;
  readonly one: z.ZodType;
  readonly many: z.ZodType;
  readonly params: Readonly<Record<string, string>>;
  readonly unusedParams: Readonly<Record<string, string>>;
  readonly creations: readonly [Example, ...Example[]];
  readonly replacement: object;
};

/** Rules of every kind are created, listed, read, replaced and deleted alike. */
function describeRules(rule: RuleKind): Operation[] {
  const { kind, plural, tag, params } = rule;
  return [
    {
      id: `create-${kind}`,
      tag,
      summary: `Create a ${kind}`.replace('a alias', 'an alias'),
      about: rule.about,
      body: rule.createBody,
      responses: { 201: { about: 'Created.', json: createdId } },
      errors: ['conflict', 'not_found'],
      examples: rule.creations,
    },
    {
      id: `list-${plural}`,
      tag,
      summary: `List ${plural}`,
      query: pageParameters,
      responses: { 200: { about: 'All of them, or a page.', json: rule.many } },
      examples: [{ summary: 'All of them', status: 200 }],
    },
    {
      id: `read-${kind}`,
      tag,
      summary: `Read one ${kind}`,
      responses: { 200: { about: 'As it is in force.', json: rule.one } },
      examples: [{ summary: 'One', params, status: 200 }],
    },
    {
      id: `replace-${kind}`,
      tag,
      summary: `Replace one ${kind}`,
      about: 'Gives it its next version; events keep the version of their time.',
      body: rule.replaceBody,
      responses: { 200: { about: 'As it is in force now.', json: rule.one } },
      errors: ['conflict'],
      examples: [{ summary: 'Another version', params, body: rule.replacement, status: 200 }],
    },
    {
      id: `delete-${kind}`,
      tag,
      summary: `Delete one ${kind}`,
      responses: { 204: { about: 'Deleted.' } },
      errors: ['conflict'],
      examples: [{ summary: 'One that nothing refers to', params: rule.unusedParams, status: 204 }],
    },
  ];
}

export const RULE_OPERATIONS: readonly Operation[] = [
  ...describeRules({
    kind: 'policy',
    plural: 'policies',
    tag: 'Routing',
    about:
      'Requests name it as the model `policy/<name>`. A model may be a plain id, or one with a weight and retries. `first_content_ms`: so long after it was sent, a streamed request has the first content of its reply, or the next model is asked; `idle_ms`: the longest silence within a reply. Absent, its account or the gateway says.',
    createBody: nameRequest('CreatePolicy', createPolicyBody),
    replaceBody: nameRequest('ReplacePolicy', replacePolicyBody),
    one: onePolicy,
    many: policies,
    params: { name: EXAMPLE_IDS.policy },
    unusedParams: { name: EXAMPLE_IDS.unusedPolicy },
    creations: [
      {
        summary: 'The cheapest first, the same way for the same user',
        body: {
          name: 'by-price',
          strategy: 'price',
          models: ['sandbox/chat-free', { model: 'sandbox/chat', retries: 1 }],
          sticky_by: 'user_id',
        },
        status: 201,
      },
      {
        summary: 'The next one, where ten seconds bring no content',
        body: {
          name: 'impatient',
          strategy: 'fallback',
          models: ['sandbox/chat', 'sandbox/chat-free'],
          first_content_ms: 10_000,
          idle_ms: 30_000,
        },
        status: 201,
      },
    ],
    replacement: { strategy: 'fallback', models: ['sandbox/chat', 'sandbox/chat-free'] },
  }),
  ...describeRules({
    kind: 'alias',
    plural: 'aliases',
    tag: 'Routing',
    about: 'A name of the organization’s own for a chat model or a policy.',
    createBody: nameRequest('CreateAlias', createAliasBody),
    replaceBody: nameRequest('ReplaceAlias', replaceAliasBody),
    one: oneAlias,
    many: aliases,
    params: { name: EXAMPLE_IDS.alias },
    unusedParams: { name: EXAMPLE_IDS.alias },
    creations: [{ summary: 'A model', body: { name: 'team-model', model: 'sandbox/chat' }, status: 201 }],
    replacement: { model: 'sandbox/chat-free' },
  }),
  ...describeRules({
    kind: 'guardrail',
    plural: 'guardrails',
    tag: 'Guardrails',
    about: 'Holds for a key, a group, or the whole organization when neither is named; in force within five seconds.',
    createBody: nameRequest('GuardrailBody', guardrailBody),
    replaceBody: guardrailBody,
    one: oneGuardrail,
    many: guardrails,
    params: { id: EXAMPLE_IDS.guardrail },
    unusedParams: { id: EXAMPLE_IDS.guardrail },
    creations: [
      {
        summary: 'Mask addresses and staff numbers in prompts',
        body: {
          name: 'no personal data',
          detectors: ['email', { name: 'staff_number', pattern: 'EMP-\\d{4,8}' }],
          action: 'mask',
          stage: 'input',
          group_id: EXAMPLE_IDS.group,
        },
        status: 201,
      },
    ],
    replacement: { name: 'flag secrets', detectors: ['secret'], action: 'flag' },
  }),
  {
    id: 'test-guardrail',
    tag: 'Guardrails',
    summary: 'Try guardrails on a text',
    about:
      'What a guardrail, as it would be written, or guardrails that are there find in a text, and what would become of it. The text and what was found are neither kept nor logged. Scanners are not asked: the text stays in the gateway.',
    body: nameRequest('TestGuardrail', testGuardrailBody),
    responses: { 200: { about: 'What was found.', json: guardrailTest } },
    errors: ['not_found'],
    examples: [
      {
        summary: 'One that is not there yet',
        body: { text: 'Write to ann@example.com.', guardrail: { detectors: ['email'], action: 'mask' } },
        status: 200,
      },
      { summary: 'One that is', body: { text: 'Nothing to see.', guardrail_ids: [EXAMPLE_IDS.guardrail] }, status: 200 },
    ],
  },
];
