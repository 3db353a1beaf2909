import { z } from 'zod';

/** Plain ids; those of policies are taken. */
const aliasName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/, 'must be 1 to 128 letters, digits, ".", "_", ":", "/" or "-"')
  .refine((name) => !name.startsWith('policy/'), { message: 'must not begin with "policy/"' });

const rest = {
  /** A chat model's id or `policy/<name>`. */
  model: z.string().min(1).max(256),
};

/** Body of `POST /v1/manage/alias`; requests name it as their model. */
export const createAliasBody = z.strictObject({ name: aliasName, ...rest });
/** Body of `PUT /v1/manage/alias/{name}`. A name, when given, must be that of the path. */
export const replaceAliasBody = z.strictObject({ name: aliasName.optional(), ...rest });
/** What is kept of an alias beside its name. */
export const aliasDocument = z.strictObject(rest);
