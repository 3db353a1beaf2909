const TEXT_CHARACTERS_MAX = 500;
const REMOVED = '[removed]';

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
  let cleaned = text.length > TEXT_CHARACTERS_MAX * 8 ? text.slice(0, TEXT_CHARACTERS_MAX * 8) : text;
  for (const secret of secrets) if (secret !== '') cleaned = cleaned.replaceAll(secret, REMOVED);
  for (const shape of SECRET_SHAPES)
    cleaned = cleaned.replace(shape, (match, prefix: unknown) => `${typeof prefix === 'string' ? prefix : ''}${REMOVED}`);
  cleaned = cleaned.replace(/\s+/g, ' ').trim();
  return cleaned.length > TEXT_CHARACTERS_MAX ? `${cleaned.slice(0, TEXT_CHARACTERS_MAX - 1)}…` : cleaned;
}
