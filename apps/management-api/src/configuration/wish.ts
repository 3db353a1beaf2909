import { createHmac, randomBytes } from 'node:crypto';
import {
  hideSecrets,
  keyOf,
  listDesired,
  type DesiredObject,
  type DigestSecret,
  type Fields,
  type PlanOptions,
  type Problem,
  type Step,
} from '@weir/configuration';
import type { ConfigurationDocument } from '@weir/contracts';
import { refuseDocument } from './refuse-document';

/** What a document wants, without its secrets. */
export type Wish = {
  readonly desired: readonly DesiredObject[];
  readonly plan: PlanOptions;
  readonly labels: Fields;
  readonly digest: DigestSecret;
  readonly secrets: ReadonlyMap<string, Fields>;
  readonly notes: readonly string[];
};

type WishOptions = { readonly prune: boolean; readonly adopt: boolean; readonly isPreview: boolean };

/** Throws for what is wrong between its parts. */
export function readWish(document: ConfigurationDocument, { prune, adopt, isPreview }: WishOptions): Wish {
  const { objects, coverage, problems } = listDesired(document);
  const digest = createDigest();
  const { objects: desired, secrets, unread } = hideSecrets(objects, digest);
  const refused: readonly Problem[] = [...problems, ...(isPreview ? [] : unread)];
  if (refused.length > 0) throw refuseDocument(refused);
  return {
    ...{ desired, digest, secrets },
    plan: { configuration: document.metadata.name, coverage, prune, adopt },
    labels: document.metadata.labels ?? {},
    notes: unread.map(({ path }) => `${path}: the secret was not sent, so it is not compared`),
  };
}

/** Under a key that is forgotten with the request, digests say nothing of what they were made of. */
export function createDigest(): DigestSecret {
  const key = randomBytes(32);
  return (value) => ({ secret: createHmac('sha256', key).update(value).digest('base64url') });
}

/** Whether something of it is sealed. */
export function needsSeal({ desired }: Wish): boolean {
  return desired.some(({ kind }) => kind === 'alert' || kind === 'provider_credential');
}

/** The values of a step's secrets. */
export function secretsOf({ secrets }: Wish, step: Pick<Step, 'kind' | 'name'>): Fields {
  return secrets.get(keyOf(step)) ?? {};
}
