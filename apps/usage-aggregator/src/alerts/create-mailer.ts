import type { SmtpSettings } from '@weir/config';
import type { AlertEmail } from '@weir/limits';
import { createTransport } from 'nodemailer';

/** What became of a notice at its receiver. `isFinal`: the same would be refused again, whenever it is sent. */
export type SendOutcome = { readonly isTaken: boolean; readonly isFinal?: boolean; readonly text: string };

export type Mailer = {
  /** Whom mails are from. */
  readonly from: string;
  send(mail: AlertEmail & { readonly to: readonly string[] }): Promise<SendOutcome>;
};

const TIMEOUT_MS = 10_000;
const RESPONSE_MAX = 200;

/** Sends mails by the operator's server: a connection for each, because they are few. `ca` is trusted besides what the system trusts. */
export function createMailer({ host, port, tls, login, from }: SmtpSettings, ca?: Buffer): Mailer {
  const transport = createTransport({
    ...{ host, port, secure: tls === 'tls', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: 2 * TIMEOUT_MS, dnsTimeout: TIMEOUT_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return {
    from,
    send: async ({ to, subject, text, html, messageId }) => {
      try {
        const sent = await transport.sendMail({ from, to: to.map(toAddress), subject, text, html, messageId });
        return { isTaken: true, text: describeAcceptance(sent) };
      } catch (error) {
        return describeRefusal(error);
      }
    },
  };
}

/** As it is: a text would be parsed, and could name more than one. */
function toAddress(address: string): { name: string; address: string } {
  return { name: '', address };
}

/** The same, where the settings name a mail server. */
export function openMailer(settings: SmtpSettings | undefined): Mailer | undefined {
  return settings === undefined ? undefined : createMailer(settings);
}

/** A mailbox that its server refuses while it takes the others is named: the mail is not sent to the others again. */
function describeAcceptance({ response, rejected }: { readonly response: string; readonly rejected: readonly string[] }): string {
  const refused = rejected.length === 0 ? '' : `; refused for ${rejected.join(', ')}`;
  return `${clean(response)}${refused}`;
}

type MailError = {
  readonly code?: string;
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
};

/** What concerns the operator’s server and its settings is not shown as it is: organizations read this. */
function describeRefusal(error: unknown): SendOutcome {
  const { code, originalCode, response, permanent = false } = error as MailError;
  if (code === 'EAUTH' || code === 'ENOAUTH') return { isTaken: false, text: 'the mail server did not let the gateway sign in' };
  if (response === undefined)
    return { isTaken: false, text: `the mail server could not be reached safely (${originalCode ?? code ?? 'unknown reason'})` };
  return { isTaken: false, isFinal: permanent, text: clean(response) };
}

function clean(response: string): string {
  return response.replace(/\s+/g, ' ').trim().slice(0, RESPONSE_MAX);
}
