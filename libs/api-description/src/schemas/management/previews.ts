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

export const organizationPreview = nameReply(
  'OrganizationPreview',
  z.object({
    settings: z.object({
      data_residency: z.enum(['eu', 'us', 'ap']).nullable(),
      zero_data_retention: z.boolean(),
      data_used_for_training: z.boolean(),
      approved_models: approvedModels.nullable(),
    }),
    models: z.object({ all: count, usable_now: count, usable_then: count }).describe('How many models of the catalogue.'),
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
