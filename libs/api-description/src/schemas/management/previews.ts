import { MODALITIES } from '@weir/contracts';
import { z } from 'zod';
import { nameReply } from '../named-schemas';
import { approvedModels } from '../gateway/organization';

const count = z.int().min(0);

export const accessListPreview = nameReply(
  'AccessListPreview',
  z.object({
    models: z.object(approvedModels.shape).describe('Ids of the models that are let in, by modality.'),
    names: z
      .array(z.string())
      .describe('Policies and aliases that the list names: what they lead to is let in for requests that use the name.'),
    warnings: z.array(z.object({ modality: z.enum(MODALITIES), entry: z.string(), message: z.string() })).optional(),
  }),
);

/** In Global mode the limit of each member, in Group Budget mode the budgets of the group and of each member. */
const monthlyLimits = z.object({
  monthly_limit: z.number().optional(),
  monthly_budget: z.number().optional(),
  monthly_budget_per_user: z.number().optional(),
});

export const organizationPreview = nameReply(
  'OrganizationPreview',
  z.object({
    settings: z.object({
      data_residency: z.enum(['eu', 'us', 'ap']).nullable(),
      zero_data_retention: z.boolean(),
      data_used_for_training: z.boolean(),
      approved_models: approvedModels.nullable(),
    }),
    models: z
      .object({ all: count, callable: count, usable_now: count, usable_then: count })
      .describe(
        'How many models: of the catalogue; at providers that are set up, or where the organization has an account; and of these the ones that rules let through.',
      ),
    shut_out: z
      .array(
        z.object({
          id: z.string(),
          modality: z.enum(MODALITIES),
          by: z.enum(['data_rules', 'approved_models']),
          message: z.string(),
          is_new: z.boolean().describe('Usable as the settings are now.'),
        }),
      )
      .describe('Models that these settings would shut out.'),
    let_in: z
      .array(z.object({ id: z.string(), modality: z.enum(MODALITIES) }))
      .describe('Models that can only be used with these settings.'),
    budgets: z
      .object({
        from: z.enum(['global', 'group']),
        to: z.enum(['global', 'group']),
        is_allowed: z.boolean().describe('False: `PATCH /v1/manage/org` refuses the switch (409) while there are obstacles.'),
        groups: z
          .array(
            z.object({
              id: z.uuid(),
              name: z.string(),
              before: monthlyLimits,
              after: monthlyLimits,
              members: z
                .array(z.object({ id: z.uuid(), email: z.string(), before: z.number(), after: z.number() }))
                .describe('What holds a month for members who have limits of their own, or for whom it changes.'),
              obstacle: z.string().nullable().describe('What the other mode cannot hold.'),
            }),
          )
          .describe('Groups that have limits before or after.'),
      })
      .optional()
      .describe('Where `budget_mode` is another one: what becomes of limits. Amounts in USD; 0 is no limit.'),
  }),
);

export const guardrailTest = nameReply(
  'GuardrailTest',
  z.object({
    outcome: z.enum(['passed', 'flagged', 'masked', 'blocked']),
    text: z.string().nullable().describe('As it would go on; null where it would not.'),
    findings: z.array(
      z.object({
        guardrail: z.object({ id: z.string().nullable(), name: z.string() }),
        detector: z.string(),
        action: z.enum(['flag', 'mask', 'block']),
        start: count,
        end: count.describe('In UTF-16 units of the text, as JavaScript counts.'),
      }),
    ),
    not_asked: z
      .array(z.object({ guardrail: z.object({ id: z.string().nullable(), name: z.string() }), reason: z.enum(['stage', 'scanner']) }))
      .describe('`stage`: it does not look at this stage. `scanner`: it also asks a scanner, which was not asked here.'),
  }),
);
