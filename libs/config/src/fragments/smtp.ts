import { z } from 'zod';
import { address, port } from '../values';

// eslint-disable-next-line no-control-regex -- these are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
const ADDRESS = /^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** The mail server that alerts are sent by. Without one there are no alerts by e-mail. */
export const smtpEnv = z.object({
  /** All of it in one: `smtps://user:password@host:465`, or `smtp://…`. */
  SMTP_URL: address(/^smtps?$/, 'smtps://user:password@host:465').optional(),
  SMTP_HOST: z.string().min(1).optional(),
  SMTP_PORT: port.optional(),
  SMTP_USER: z.string().min(1).optional(),
  SMTP_PASSWORD: z.string().min(1).optional(),
  /** Whom mails are from: `alerts@example.com`, or `Weir <alerts@example.com>`. */
  SMTP_FROM: z
    .string()
    .refine((text) => ADDRESS.test(text) && !CONTROL.test(text), 'must be an address, such as alerts@example.com')
    .optional(),
  /** `starttls`: nothing is sent before the connection is encrypted; `tls`: it is from the start; `none`: it never is. */
  SMTP_TLS: z.enum(['starttls', 'tls', 'none']).default('starttls'),
});

export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'tls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: string;
};

const PORTS = { starttls: 587, tls: 465, none: 25 } as const;

/** What the settings say together; undefined where they name no mail server. Throws where one of them is missing. */
export function readSmtpSettings(env: z.infer<typeof smtpEnv>): SmtpSettings | undefined {
  const place = env.SMTP_URL === undefined ? readPlace(env) : readUrl(env.SMTP_URL, env);
  if (place === undefined) return undefined;
  if (env.SMTP_FROM === undefined) throw new Error('SMTP_FROM: must be set where a mail server is');
  const { user, password, ...rest } = place;
  if ((user === undefined) !== (password === undefined)) throw new Error('SMTP_USER and SMTP_PASSWORD: must be set together');
  return { ...rest, from: env.SMTP_FROM, login: user === undefined || password === undefined ? undefined : { user, password } };
}

type Place = Pick<SmtpSettings, 'host' | 'port' | 'tls'> & { readonly user: string | undefined; readonly password: string | undefined };

function readPlace(env: z.infer<typeof smtpEnv>): Place | undefined {
  if (env.SMTP_HOST === undefined) return undefined;
  const tls = env.SMTP_TLS;
  return { host: env.SMTP_HOST, port: env.SMTP_PORT ?? PORTS[tls], tls, user: env.SMTP_USER, password: env.SMTP_PASSWORD };
}

function readUrl(text: string, env: z.infer<typeof smtpEnv>): Place {
  const url = new URL(text);
  const tls = url.protocol === 'smtps:' ? 'tls' : env.SMTP_TLS;
  const read = (part: string): string | undefined => (part === '' ? undefined : decodeURIComponent(part));
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[tls] : Number(url.port),
    tls,
    user: read(url.username) ?? env.SMTP_USER,
    password: read(url.password) ?? env.SMTP_PASSWORD,
  };
}
