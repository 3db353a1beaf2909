import { z } from 'zod';
import { readBoundedJson } from '../../bodies/read-bounded-json';

export type KeycloakSettings = {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For each request; ten seconds by default. */
  readonly timeoutMs?: number;
};

type AdminRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/admin/realms/{realm}`. */
  readonly path: string;
  readonly body?: unknown;
  /** Statuses below 300 are always expected; what else the caller can live with. */
  readonly expects?: readonly number[];
};

type AdminReply = { readonly status: number; readonly location: string | null; readonly json: unknown };

/** Sends requests of the admin interface as the client's service account. Throws for every status no one expects. */
export type KeycloakAdmin = { send(request: AdminRequest): Promise<AdminReply> };

const token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
/** A token that ends in a moment is as good as ended. */
const EARLY_MS = 10_000;

export function createKeycloakAdmin(settings: KeycloakSettings): KeycloakAdmin {
  const { url, realm, clientId, clientSecret, timeoutMs = 10_000 } = settings;
  const realmPath = `realms/${encodeURIComponent(realm)}`;
  let current: { readonly value: string; readonly endsAtMs: number } | undefined;

  const fetchToken = async (): Promise<string> => {
    const reply = await fetch(`${url}/${realmPath}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const json = await readBoundedJson(reply);
    // Said without the body, which may repeat what was sent.
    if (!reply.ok) throw new Error(`Keycloak replied ${reply.status} to the request for a token`);
    const { access_token: value, expires_in: seconds } = token.parse(json);
    current = { value, endsAtMs: Date.now() + seconds * 1000 - EARLY_MS };
    return value;
  };

  const sendOnce = async ({ method, path, body }: AdminRequest): Promise<AdminReply> => {
    const bearer = current !== undefined && current.endsAtMs > Date.now() ? current.value : await fetchToken();
    const reply = await fetch(`${url}/admin/${realmPath}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const json = reply.ok ? await readBoundedJson(reply) : await reply.body?.cancel();
    return { status: reply.status, location: reply.headers.get('location'), json };
  };

  return {
    send: async (request) => {
      let reply = await sendOnce(request);
      if (reply.status === 401) {
        // The token was taken back before its time: a restarted or changed realm does that.
        current = undefined;
        reply = await sendOnce(request);
      }
      if (reply.status < 300 || request.expects?.includes(reply.status) === true) return reply;
      throw new Error(`Keycloak replied ${reply.status} to ${request.method} ${request.path.split('?')[0]}`);
    },
  };
}
