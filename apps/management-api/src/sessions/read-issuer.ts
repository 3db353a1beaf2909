/** Three parts in base64url; the second is read before anything is checked, to know whom to ask. */
const JWT = /^[\w-]+\.([\w-]+)\.[\w-]*$/;

/** Who says that they have made a token; undefined for one that is no JWT. */
export function readIssuer(token: string): string | undefined {
  const [, payload] = JWT.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { iss?: unknown };
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    // An opaque token may look like one.
    return undefined;
  }
}
