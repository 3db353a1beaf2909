import { loadEnv } from '../load-env';
import { readSmtpSettings, smtpEnv } from './smtp';

const read = (source: Record<string, string>) => readSmtpSettings(loadEnv(smtpEnv, source));
const FROM = { SMTP_FROM: 'Weir <alerts@example.com>' };

describe('the mail server', () => {
  it('is read from one address or from its parts', () => {
    expect(read({})).toBeUndefined();
    expect(read({ ...FROM, SMTP_HOST: 'mail', SMTP_USER: 'u', SMTP_PASSWORD: 'p' })).toEqual({
      ...{ host: 'mail', port: 587, tls: 'starttls', from: FROM.SMTP_FROM, login: { user: 'u', password: 'p' } },
    });
    expect(read({ ...FROM, SMTP_HOST: 'mail', SMTP_TLS: 'none', SMTP_PORT: '2525' })).toMatchObject({
      port: 2525,
      tls: 'none',
      login: undefined,
    });
    expect(read({ ...FROM, SMTP_URL: 'smtps://u%40x:p%2Fw@[::1]' })).toMatchObject({
      ...{ host: '::1', port: 465, tls: 'tls', login: { user: 'u@x', password: 'p/w' } },
    });
    expect(read({ ...FROM, SMTP_URL: 'smtp://mail:26', SMTP_USER: 'u', SMTP_PASSWORD: 'p' })).toMatchObject({
      ...{ port: 26, tls: 'starttls', login: { user: 'u', password: 'p' } },
    });
  });

  it('is refused when a part is missing or could write headers', () => {
    expect(() => read({ SMTP_HOST: 'mail' })).toThrow('SMTP_FROM');
    expect(() => read({ ...FROM, SMTP_HOST: 'mail', SMTP_USER: 'u' })).toThrow('SMTP_PASSWORD');
    for (const from of ['no address', 'a@b\nBcc: c@d', '<a@b> <c@d>', 'a b@c'])
      expect(() => read({ SMTP_FROM: from, SMTP_HOST: 'm' })).toThrow('SMTP_FROM');
    expect(() => read({ ...FROM, SMTP_URL: 'https://mail' })).toThrow('SMTP_URL');
  });
});
