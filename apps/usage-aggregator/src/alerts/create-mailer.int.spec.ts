import type { SmtpSettings } from '@weir/config';
import { LOGIN, startMailServer, type MailServer } from './__fixtures__/start-mail-server';
import { createMailer } from './create-mailer';

const MAIL = {
  subject: 'The key "über" has reached 80%',
  text: 'text\n',
  html: '<p>text</p>',
  messageId: '<alert-f1@example.com>',
  to: ['ann@example.com'],
};

describe('a mail server', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.mails.length = 0;
    server.refusals.length = 0;
  });

  const settings = (more: Partial<SmtpSettings> = {}): SmtpSettings => ({
    ...{ host: '127.0.0.1', port: server.port, tls: 'starttls', login: LOGIN, from: 'Weir <alerts@example.com>', ...more },
  });
  const send = (more: Partial<typeof MAIL> = {}) => createMailer(settings(), server.ca).send({ ...MAIL, ...more });

  it('gets a mail signed in and encrypted, in text and HTML, under the id that it is known by', async () => {
    expect(await send({ to: ['ann@example.com', 'bob@example.com'] })).toMatchObject({
      isTaken: true,
      text: expect.stringMatching(/^250 /),
    });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'alerts@example.com', to: ['ann@example.com', 'bob@example.com'], isEncrypted: true });
    const raw = mail?.raw ?? '';
    expect(raw).toContain('Message-ID: <alert-f1@example.com>');
    expect(raw).toContain('multipart/alternative');
    expect(raw).toContain('From: Weir <alerts@example.com>');
  });

  it('gets no header that a subject or a recipient carries', async () => {
    await send({ subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody', to: ['ann@example.com\r\nBcc: eve@example.com'] });
    for (const { to, raw } of server.mails) {
      expect(to).not.toContain('eve@example.com');
      expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im);
    }
    expect(await send({ subject: 'x\r\nBcc: eve@example.com' })).toMatchObject({ isTaken: true });
    expect(server.mails.at(-1)?.to).toEqual(['ann@example.com']);
  });

  it.each([
    ['later', 451, false],
    ['never', 550, true],
  ])('that refuses a recipient takes it %s', async (_, code, isFinal) => {
    server.refusals.push({ code, text: 'not this one' });
    expect(await send()).toEqual({ isTaken: false, isFinal, text: `${code} not this one` });
    expect(server.mails).toEqual([]);
  });

  it.each([
    ['later', 452, false],
    ['never', 554, true],
  ])('that refuses a mail takes it %s', async (_, code, isFinal) => {
    server.refusals.push({ code, text: 'not this\r\nmail', ofMessage: true });
    expect(await send()).toMatchObject({ isTaken: false, isFinal, text: expect.stringContaining(String(code)) });
  });

  it('that refuses one of two recipients is named, and the other has the mail', async () => {
    server.refusals.push({ code: 550, text: 'no such mailbox', of: 'bob@example.com' });
    const outcome = await send({ to: ['ann@example.com', 'bob@example.com'] });
    expect(outcome).toMatchObject({ isTaken: true, text: expect.stringMatching(/^250 .*; refused for bob@example\.com$/) });
    expect(server.mails).toMatchObject([{ to: ['ann@example.com'] }]);
  });

  it('that does not let the gateway in, or is not trusted, or is away, may be tried again; the password stays here', async () => {
    const wrong = createMailer(settings({ login: { user: 'weir', password: 'hunter2hunter2' } }), server.ca);
    expect(await wrong.send(MAIL)).toEqual({ isTaken: false, text: 'the mail server did not let the gateway sign in' });
    expect(await createMailer(settings()).send(MAIL)).toEqual({
      isTaken: false,
      text: 'the mail server could not be reached safely (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    const gone = await startMailServer();
    await gone.close();
    expect(await createMailer(settings({ port: gone.port }), gone.ca).send(MAIL)).toEqual({
      ...{ isTaken: false, text: 'the mail server could not be reached safely (ECONNREFUSED)' },
    });
    expect(server.mails).toEqual([]);
  });
});

describe('a mail server without encryption', () => {
  it('gets nothing, neither mail nor password, unless the settings say that it may', async () => {
    const server = await startMailServer({ hideSTARTTLS: true, authOptional: true });
    const settings = { host: '127.0.0.1', port: server.port, from: 'alerts@example.com' };
    const safe = createMailer({ ...settings, tls: 'starttls', login: LOGIN });
    expect(await safe.send(MAIL)).toMatchObject({ isTaken: false });
    expect(server.mails).toEqual([]);
    const plain = createMailer({ ...settings, tls: 'none', login: undefined });
    expect(await plain.send(MAIL)).toMatchObject({ isTaken: true });
    expect(server.mails).toMatchObject([{ isEncrypted: false }]);
    await server.close();
  });

  it('that speaks TLS from the start is spoken to so', async () => {
    const server = await startMailServer({ secure: true });
    const mailer = createMailer({ host: '127.0.0.1', port: server.port, from: 'alerts@example.com', tls: 'tls', login: LOGIN }, server.ca);
    expect(await mailer.send(MAIL)).toMatchObject({ isTaken: true });
    expect(server.mails).toMatchObject([{ isEncrypted: true }]);
    await server.close();
  });
});
