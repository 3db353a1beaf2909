import { z } from 'zod';
import {
  encodeError,
  ERROR_CATALOGUE,
  GatewayError,
  getErrorRow,
  typeForClients,
  type EnvelopeDialect,
  type ErrorCode,
} from '@weir/errors';
import { nameReply } from '../named-schemas';

const origin = z.enum(['router', 'provider']).describe('Whether the gateway or the provider behind it says so.');
const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
const code = z
  .string()
  .meta({ examples: [...new Set(CODES.flatMap((key) => getErrorRow(key).words ?? [key]))] })
  .describe('A stable word; `x-error-codes` lists them with their statuses. New ones may come.');
const providerCode = z
  .string()
  .meta({ examples: ['context_length_exceeded'] })
  .describe('The provider’s own word for what it refused, where it has one.');
const message = z.string().describe('For people.');

const errorType = z
  .string()
  .meta({ examples: [...new Set(CODES.map((key) => typeForClients(key)))] })
  .describe(
    'The class of the error, always there: the gateway’s own member, because clients read it. Whatever trying again cannot mend, and is no fault of the provider’s, is `invalid_request_error`; `x-error-codes` lists the word of each code. Branch on `code`, which is finer.',
  );
const messagesType = z
  .string()
  .meta({ examples: [...new Set(CODES.map((key) => getErrorRow(key).messagesType))] })
  .describe('The class of the error; `x-error-codes` lists the word of each code as `messages_type`. Branch on `code`, which is finer.');

const limit = z
  .looseObject({
    id: z.string().nullable().describe('Null for limits that are settings of a key, a group, a member or the organization.'),
    name: z.string(),
    scope: z.string(),
    measure: z.string(),
    window: z.string().nullable().describe('Null for what runs at a moment.'),
    limit: z.string().describe('In the unit of the measure, as exact decimal text, as the other amounts.'),
    used: z.string().describe('What was used and what is set aside for requests that run.'),
    remaining: z.string().describe('Below zero where more was used than the limit allows now.'),
    asked: z.string().nullable().describe('What the request may use at most; null where that was not looked at.'),
    frees_at: z.iso.datetime().nullable().describe('When it begins to free; null where no time does, but the end of another request.'),
  })
  .describe('The limit that the request did not fit. Absent from errors that no limit caused.');

const gatewayErrorBody = z.looseObject({
  origin,
  message,
  type: errorType,
  code: code.optional(),
  provider_code: providerCode.optional(),
  request_id: z.string().optional(),
  param: z.string().nullish().describe('The field at fault.'),
  limit: limit.optional(),
  problems: z
    .array(z.looseObject({ path: z.string().describe('Where it stands, `keys.3.group`.'), message: z.string() }))
    .optional()
    .describe('All that is wrong with a configuration document. Absent from other errors.'),
});

/** Errors of every endpoint but those with an envelope of their own. */
export const gatewayError = nameReply(
  'GatewayError',
  z.looseObject({ error: gatewayErrorBody }).meta({ examples: [exampleIn('gateway')] }),
);

/** Errors of `/v1/messages`: the envelope that clients of this dialect read. */
export const messagesError = nameReply(
  'MessagesError',
  z
    .looseObject({
      type: z.literal('error'),
      error: z.looseObject({
        type: messagesType,
        message,
        origin: origin.optional(),
        code: code.optional(),
        provider_code: providerCode.optional(),
        limit: limit.optional(),
      }),
      request_id: z.string().optional(),
    })
    .meta({ examples: [exampleIn('messages')] }),
);

/** Errors of the access-list endpoints. */
export const accessListError = nameReply(
  'AccessListError',
  z.object({ error: z.object({ message }) }).meta({ examples: [exampleIn('access-list')] }),
);

/** Errors of `/scim/v2`. */
export const scimError = nameReply(
  'ScimError',
  z
    .object({
      schemas: z.array(z.literal('urn:ietf:params:scim:api:messages:2.0:Error')),
      status: z.string().describe('The status of the response, as text.'),
      scimType: z
        .string()
        .optional()
        .meta({
          examples: ['invalidFilter', 'tooMany', 'uniqueness', 'mutability', 'invalidSyntax', 'invalidPath', 'noTarget', 'invalidValue'],
        })
        .describe('The word of RFC 7644 for what is wrong.'),
      detail: message,
    })
    .meta({ examples: [exampleIn('scim')] }),
);

/** What a stream without named errors ends with when it breaks off. */
export const streamError = nameReply('StreamError', z.looseObject({ error: z.looseObject({ message }) }), 'A stream that broke off.');

function exampleIn(dialect: EnvelopeDialect): unknown {
  const error = new GatewayError('model_not_found', 'The model "unknown/model" is not known here.', { field: 'model' });
  return JSON.parse(encodeError(error, dialect, '01a3c4d5-0000-7000-8000-000000000001').body) as unknown;
}
