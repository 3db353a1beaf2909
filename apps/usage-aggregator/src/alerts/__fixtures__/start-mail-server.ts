import { makeCertificate } from '@weir/testing';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export const LOGIN = { user: 'weir', password: 'of the mail server' };

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly raw: string; readonly isEncrypted: boolean };

export type MailServer = {
  readonly port: number;
  readonly ca: Buffer;
  readonly mails: ReceivedMail[];
  /** What it says to the next mails instead of taking them, at their recipients or, with `ofMessage`, after their text. */
  readonly refusals: { code: number; text: string; of?: string; ofMessage?: boolean }[];
  close(): Promise<void>;
};

/** A real mail server on this machine. It takes mails from who signs in, over an encrypted connection unless `hidden` hides that. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const { key, cert } = makeCertificate();
  const mails: ReceivedMail[] = [];
  const refusals: MailServer['refusals'] = [];
  const refuse = (isMessage: boolean, address?: string): Error | undefined => {
    const [next] = refusals;
    if (next === undefined || (next.ofMessage ?? false) !== isMessage || (next.of !== undefined && next.of !== address)) return undefined;
    refusals.shift();
    return Object.assign(new Error(next.text), { responseCode: next.code });
  };
  const server = new SMTPServer({
    ...{ key, cert, logger: false, authMethods: ['PLAIN'] },
    onAuth: ({ username, password }, _, done) => {
      if (username === LOGIN.user && password === LOGIN.password) done(null, { user: username });
      else done(new Error('wrong password'));
    },
    onRcptTo: ({ address }, _, done) => done(refuse(false, address) ?? null),
    onData: (stream, { envelope, secure }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const error = refuse(true);
        if (error !== undefined) return done(error);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString(), isEncrypted: secure });
        return done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // a client that does not trust it hangs up
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return { port, ca: cert, mails, refusals, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
