const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bweir_[a-z0-9]+_[A-Za-z0-9]{6,}/g, 'weir_***'],
  [/\b(sk|rk|pk|gsk|xai|key|rqsty|rqy)[-_][A-Za-z0-9_-]{8,}/g, '$1-***'],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, 'AIza***'],
  [/\b(AKIA|ASIA)[A-Z0-9]{12,}/g, '$1***'],
  [/(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(\.[A-Za-z0-9_-]*)?/g, 'eyJ***'],
  [/([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi, '$1***'],
];

/** Takes whatever looks like a credential out of text that comes from elsewhere (a provider's error, an exception). */
export function redactSecrets(text: string): string {
  return PATTERNS.reduce((cleaned, [pattern, replacement]) => cleaned.replace(pattern, replacement), text);
}
