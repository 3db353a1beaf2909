type SecretShape = {
  /** What every secret of this form begins with. */
  readonly prefix: string;
  /** What follows, at least; what comes after it without a break belongs to it. */
  readonly rest: string;
};

/** Forms in which services give out keys and tokens, by what such a key looks like. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { prefix: 'sk-', rest: '[A-Za-z0-9_-]{20,}' },
  { prefix: 'sk_live_', rest: '[A-Za-z0-9]{16,}' },
  { prefix: 'sk_test_', rest: '[A-Za-z0-9]{16,}' },
  { prefix: 'rk_live_', rest: '[A-Za-z0-9]{16,}' },
  { prefix: 'pk_live_', rest: '[A-Za-z0-9]{16,}' },
  { prefix: 'whsec_', rest: '[A-Za-z0-9+/=]{16,}' },
  { prefix: 'AKIA', rest: '[A-Z0-9]{16}' },
  { prefix: 'ASIA', rest: '[A-Z0-9]{16}' },
  { prefix: 'AIza', rest: '[A-Za-z0-9_-]{35}' },
  { prefix: 'ya29.', rest: '[A-Za-z0-9_-]{20,}' },
  { prefix: 'ghp_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'gho_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'ghu_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'ghs_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'ghr_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'github_pat_', rest: '[A-Za-z0-9_]{30,}' },
  { prefix: 'glpat-', rest: '[A-Za-z0-9_-]{20,}' },
  { prefix: 'xoxb-', rest: '[A-Za-z0-9-]{16,}' },
  { prefix: 'xoxp-', rest: '[A-Za-z0-9-]{16,}' },
  { prefix: 'xoxa-', rest: '[A-Za-z0-9-]{16,}' },
  { prefix: 'xapp-', rest: '[A-Za-z0-9-]{16,}' },
  { prefix: 'SG.', rest: '[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}' },
  { prefix: 'npm_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'pypi-', rest: '[A-Za-z0-9_-]{40,}' },
  { prefix: 'hf_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'gsk_', rest: '[A-Za-z0-9]{30,}' },
  { prefix: 'dop_v1_', rest: '[a-f0-9]{40,}' },
  { prefix: 'shpat_', rest: '[a-fA-F0-9]{32}' },
  { prefix: 'eyJ', rest: '[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{5,}' },
];
