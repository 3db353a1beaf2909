import { z } from 'zod';
import { nameReply, nameRequest } from '../named-schemas';

const schemas = z.array(z.string()).describe('URNs.');
const member = z.looseObject({ value: z.string().describe('The id of a user.') });
const meta = z.looseObject({
  resourceType: z.string(),
  location: z.string(),
  created: z.iso.datetime().optional(),
  lastModified: z.iso.datetime().optional(),
  version: z.string().optional().describe('The ETag.'),
});
const USER_ABOUT =
  'Names of attributes are compared without case. What `GET /scim/v2/Schemas` does not list is left out, and the response shows that.';

const written = {
  externalId: z.string().nullish().describe('The id in the directory.'),
  active: z
    .union([z.boolean(), z.string()])
    .optional()
    .describe('False offboards the member: their keys are revoked within five seconds. The text "False" as well.'),
  name: z.looseObject({ givenName: z.string().nullish(), familyName: z.string().nullish() }).nullish(),
  displayName: z.string().nullish(),
  emails: z
    .array(z.looseObject({ value: z.string().nullish(), primary: z.unknown() }).partial())
    .nullish()
    .describe('The primary one, else the first, is the address; where there is none, the `userName` is.'),
  roles: z
    .array(z.looseObject({ value: z.string() }))
    .nullish()
    .describe('"admin" makes an administrator of the organization.'),
};

export const scimUserBody = nameRequest(
  'ScimUserBody',
  z.looseObject({ schemas: schemas.optional(), userName: z.string(), ...written }),
  USER_ABOUT,
);

export const scimGroupBody = nameRequest(
  'ScimGroupBody',
  z.looseObject({
    schemas: schemas.optional(),
    displayName: z.string().describe('The name of the group.'),
    externalId: z.string().nullish(),
    members: z.array(member).nullish(),
  }),
);

export const scimPatchBody = nameRequest(
  'ScimPatch',
  z.looseObject({
    schemas: schemas.optional(),
    Operations: z
      .array(
        z.looseObject({
          op: z.string().describe('add, replace or remove, in whatever case.'),
          path: z
            .string()
            .optional()
            .describe('`name.familyName`, `emails[type eq "work"].value`; absent: `value` has attributes by their names.'),
          value: z.unknown().optional(),
        }),
      )
      .min(1)
      .max(1_000),
  }),
);

const own = { schemas, id: z.string(), externalId: z.string().optional(), meta };

export const scimUser = nameReply(
  'ScimUser',
  z
    .looseObject({
      ...own,
      userName: z.string().optional(),
      active: z.boolean().optional(),
      groups: z
        .array(z.looseObject({ value: z.string(), display: z.string() }))
        .optional()
        .describe('Groups they are in.'),
    })
    .partial({ meta: true }),
  'A member of the organization, with the attributes that the directory has written.',
);

export const scimGroup = nameReply(
  'ScimGroup',
  z.looseObject({ ...own, displayName: z.string().optional(), members: z.array(member).optional() }).partial({ meta: true }),
);

const listOf = (resource: z.ZodType) =>
  z.looseObject({ schemas, totalResults: z.int(), startIndex: z.int(), itemsPerPage: z.int(), Resources: z.array(resource) });

export const scimUsers = nameReply('ScimUsers', listOf(scimUser));
export const scimGroups = nameReply('ScimGroups', listOf(scimGroup));

/** What the service says of itself, in the shapes of RFC 7643, 5 to 7. */
export const scimDescription = nameReply('ScimDescription', z.looseObject({ schemas }));
export const scimDescriptions = nameReply('ScimDescriptions', listOf(scimDescription));

const selection = {
  attributes: z.string().optional().describe('Names, with commas between them; `id` and `schemas` always come.'),
  excludedAttributes: z.string().optional(),
};
export const scimSelection = z.object(selection);
export const scimListQuery = z.object({
  filter: z
    .string()
    .optional()
    .describe('`userName eq "ada@example.com"`; eq, ne, co, sw, ew, gt, ge, lt, le, pr, and, or, not, `emails[type eq "work"]`.'),
  startIndex: z.int().optional().describe('The first is 1.'),
  count: z.int().optional().describe('100 unless given, and 200 at most.'),
  ...selection,
});

export const scimSearchBody = nameRequest(
  'ScimSearch',
  z.looseObject({
    schemas: schemas.optional(),
    filter: z.string().optional(),
    startIndex: z.int().optional(),
    count: z.int().optional(),
    attributes: z.array(z.string()).optional(),
    excludedAttributes: z.array(z.string()).optional(),
  }),
);
