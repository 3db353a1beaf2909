import type { Principal } from '@weir/access';
import { getEndpoint, signFileLink } from '@weir/contracts';
import type { ReceivedForm, RequestScope } from '@weir/http-server';
import { createMemoryRateLimiter } from '@weir/limits';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OnceAsk } from '../replay/replay-ask';
import { createFileHandler, type FileHandlerParts } from './create-file-handler';

const NOW = Date.UTC(2026, 10, 21);
const SECRET = 'a-secret-of-links';
const LINK = { organizationId: 'org-linked', fileId: 'file-a', expiresAtMs: NOW + 1000 };

function setUp({ completions = 'write', isZeroDataRetention = false, memberRateLimitRpm = null as number | null } = {}) {
  const key = {
    ...{ organizationId: 'org-key', apiKeyId: 'key', userId: 'user', groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
    ...{ memberRateLimitRpm, permissions: { manage: 'none', completions }, organization: { isZeroDataRetention } },
  };
  const answered: string[] = [];
  const answerOnce = jest.fn(async ({ fingerprint }: OnceAsk) => {
    const reported = await fingerprint();
    const isKnown = answered.includes(reported);
    answered.push(reported);
    return isKnown;
  });
  const form: ReceivedForm = { fields: [], files: [], discard: jest.fn(() => Promise.resolve()) };
  const parts: FileHandlerParts = {
    authenticator: { authenticate: jest.fn(() => ({ key }) as unknown as Principal) },
    rates: createMemoryRateLimiter({ now: () => 0 }),
    forms: { receive: () => Promise.resolve(form) },
    bodyBytesMax: 1000,
    deadlineMs: 60_000,
    fileLinkSecret: SECRET,
    now: () => NOW,
    replays: { answer: jest.fn(), concern: () => false, answerOnce },
  };
  const forward = jest.fn(() => Promise.resolve());
  const ask = (endpointId: string, { query = '', id = 'file-a', headers = {} as Record<string, string> } = {}) => {
    const request = { url: `/v1/files/${id}?${query}`, headers } as unknown as IncomingMessage;
    const response = { setHeader: () => undefined } as unknown as ServerResponse;
    const scope = {
      id: 'request',
      startedAtMs: NOW,
      endpoint: getEndpoint(endpointId),
      params: { id },
      notes: {},
    } as unknown as RequestScope;
    return createFileHandler(parts, forward)(request, response, scope, () => undefined);
  };
  return { ask, forward, form, answerOnce, authenticate: parts.authenticator.authenticate as jest.Mock };
}

const caller = (organizationId: string) =>
  expect.objectContaining({
    passport: expect.objectContaining({ attempts: [], caller: expect.objectContaining({ organizationId }) as object }) as object,
  }) as object;

describe('requests about kept files', () => {
  it('go on with a passport of their caller and no attempts', async () => {
    const { ask, forward } = setUp();
    await ask('read-file', { query: 'a=1' });
    expect(forward).toHaveBeenCalledWith('media-service', caller('org-key'));
    expect(forward).toHaveBeenCalledWith('media-service', expect.objectContaining({ params: { id: 'file-a' }, query: 'a=1' }));
  });

  it('are read by a signed address without a key, and only read', async () => {
    const { ask, forward, authenticate } = setUp();
    await ask('read-file-content', { query: signFileLink(LINK, SECRET) });
    expect(forward).toHaveBeenCalledWith('media-service', caller('org-linked'));
    expect(authenticate).not.toHaveBeenCalled();
    await ask('delete-file', { query: signFileLink(LINK, SECRET) });
    expect(authenticate).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['another file', { id: 'file-b', query: signFileLink(LINK, SECRET) }],
    ['another secret', { query: signFileLink(LINK, 'another') }],
    ['a time that is over', { query: signFileLink({ ...LINK, expiresAtMs: NOW }, SECRET) }],
  ])('are refused by an address of %s', async (_, about) => {
    const { ask, forward } = setUp();
    await expect(ask('read-file-content', about)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(forward).not.toHaveBeenCalled();
  });

  it('need a key that may infer, within the rate of its member', async () => {
    await expect(setUp({ completions: 'read' }).ask('list-files')).rejects.toMatchObject({ code: 'permission_denied' });
    const { ask } = setUp({ memberRateLimitRpm: 1 });
    await ask('list-files');
    await expect(ask('list-files')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('are uploaded once for each Idempotency-Key: what was sent decides, its bytes among it', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'idempotency-key': 'a' };
    const { ask, forward, form, answerOnce } = setUp();
    const file = { field: 'file', name: 'a.png', type: 'image/png', size: 3, read: jest.fn() };
    for (const digest of ['one', 'one', 'two']) {
      Object.assign(form, { fields: [{ name: 'purpose', value: 'vision' }], files: [{ ...file, digest }] });
      await ask('create-file', { headers });
    }
    expect([forward, form.discard].map((each) => (each as jest.Mock).mock.calls.length)).toEqual([2, 3]);
    expect(answerOnce).toHaveBeenCalledWith(
      expect.objectContaining({ organizationId: 'org-key', apiKeyId: 'key', endpointId: 'create-file', headers }),
    );
    await ask('list-files');
    expect(answerOnce).toHaveBeenCalledTimes(3);
  });

  it('discard their form, whatever becomes of them; an organization that has nothing kept sends none', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const { ask, forward, form } = setUp();
    forward.mockRejectedValueOnce(new Error('no worker'));
    await expect(ask('create-file', { headers })).rejects.toThrow('no worker');
    expect(form.discard).toHaveBeenCalledTimes(1);
    await expect(ask('create-file')).rejects.toMatchObject({ code: 'unsupported_media_type' });
    await expect(setUp({ isZeroDataRetention: true }).ask('create-file', { headers })).rejects.toMatchObject({ code: 'data_policy' });
  });
});
