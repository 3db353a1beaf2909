const REASONS = [
  ...(['link', 'ended'] as const),
  ...(['refused', 'expired', 'email', 'group', 'offboarded', 'account', 'settings', 'provider', 'busy', 'failed'] as const),
];

export type SignInReason = (typeof REASONS)[number];
export type SignInSearch = { readonly reason?: SignInReason; readonly return?: string };

export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const reason = REASONS.find((known) => known === search['reason']);
  const back = readReturn(search['return']);
  return { ...(reason === undefined ? {} : { reason }), ...(back === undefined ? {} : { return: back }) };
}

/** Only a path of the console: an address of elsewhere would make the sign-in page a way there. */
export function readReturn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || value.startsWith('/sign-in')) return undefined;
  const { origin, pathname, search } = new URL(value, 'http://console');
  return origin === 'http://console' ? `${pathname}${search}` : undefined;
}
