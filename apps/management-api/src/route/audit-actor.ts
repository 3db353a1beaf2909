/** Who makes a change, as the audit log names them. */
export type AuditActor = { readonly kind: 'api-key' | 'user' | 'operator'; readonly id: string };
