import {
  checkPermission,
  createApiKeyDigest,
  createAuthenticator,
  createKeyCache,
  createModelGuard,
  digestApiKey,
  generateApiKey,
  readCredential,
  type KeyRecord,
  type Principal,
} from '@weir/access';
import { getEndpoint } from '@weir/contracts';
import { createPatternMatcher } from '@weir/model-catalog';
import { makeKeyRecord } from '@weir/testing';

const PEPPER = 'bench-pepper-0123456789-0123456789-01';
const MODEL = { modality: 'chat', id: 'openai/gpt-4o-mini' } as const;
const MODELS = { chat: ['openai/*', 'anthropic/claude-*'], embedding: [], image: [], speech: [], transcription: [] };
const KEYS = 10_000;
const CALLS = 100_000;
const ROUNDS = 7;

/**
 * CPU microseconds of deciding about a request whose key is cached: read the header, look the key up, check permission
 * and model against the organization's, the group's and the key's list. One figure for each round, after two to warm up.
 */
export async function measureAuthorization(): Promise<number[]> {
  const keys = Array.from({ length: KEYS }, () => generateApiKey('live'));
  const records = new Map(keys.map((key, at) => [digestApiKey(key, PEPPER).toString('base64'), describeKey(at)]));
  const cache = createKeyCache({
    directory: { findByDigest: (digest) => Promise.resolve(records.get(digest.toString('base64'))) },
    now: Date.now,
  });
  const authenticator = createAuthenticator({ cache, digest: createApiKeyDigest(PEPPER), now: Date.now });
  const guard = createModelGuard(createPatternMatcher);
  const { permission } = getEndpoint('chat-completions');
  const headers = keys.map((key) => ({ authorization: `Bearer ${key}` }));
  for (const each of headers) await authenticator.authenticate(readCredential(each, 'bearer'));

  const decide = (at: number): void => {
    const principal = authenticator.authenticate(readCredential(headers[at % KEYS] ?? {}, 'bearer')) as Principal;
    checkPermission(principal, permission);
    guard.check(principal, MODEL);
  };
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < CALLS; at += 1) decide(at);
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / CALLS);
  }
  return rounds.slice(2);
}

function describeKey(at: number): KeyRecord {
  return makeKeyRecord(
    { apiKeyId: `key ${at}`, organizationId: `organization ${at % 100}`, keyAccessList: MODELS, groupAccessList: MODELS },
    { approvedModels: MODELS },
  );
}
