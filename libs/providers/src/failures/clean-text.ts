import { REMOVED_SECRET } from './hide-secrets';
import { hideKnownSecrets } from './known-secrets';

const TEXT_CHARACTERS_MAX = 500;
const SHAPED_CHARACTERS_MAX = 4_000;
const READ_CHARACTERS_MAX = 1024 * 1024;

/** What keys of known makers, authorization headers and key parameters of addresses look like. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|nvapi|pplx|csk|fw|hf|tgp|key|org|proj)[-_][A-Za-z0-9_*.-]{6,}/g,
  /\bAIza[0-9A-Za-z_*-]{10,}/g,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{6,}/gi,
  /([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi,
  /\b[A-Za-z0-9_-]{48,}\b/g,
];

/** A provider's text as callers may see it: without anything that looks like a secret, on one line, and bounded. */
export function cleanText(text: string, secrets: readonly string[] = []): string {
  let whole = hideKnownSecrets(text, READ_CHARACTERS_MAX);
  for (const secret of secrets) if (secret !== '') whole = whole.replaceAll(secret, REMOVED_SECRET);
  // Made short only then: half a secret would not be known for one.
  let cleaned = whole.replace(/\s+/g, ' ').slice(0, SHAPED_CHARACTERS_MAX);
  for (const shape of SECRET_SHAPES)
    cleaned = cleaned.replace(shape, (match, prefix: unknown) => `${typeof prefix === 'string' ? prefix : ''}${REMOVED_SECRET}`);
  cleaned = cleaned.trim();
  return cleaned.length > TEXT_CHARACTERS_MAX ? `${cleaned.slice(0, TEXT_CHARACTERS_MAX - 1)}…` : cleaned;
}
