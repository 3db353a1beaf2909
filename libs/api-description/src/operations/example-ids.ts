/**
 * Ids that stand in examples for things of the reader's own: replace them with real ids before you run the examples.
 * Each text occurs nowhere else, but for those of SCIM, which stand for themselves.
 */
export const EXAMPLE_IDS = {
  apiKey: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e01',
  revocableKey: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e02',
  accessList: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e03',
  unusedAccessList: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e04',
  group: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e05',
  unusedGroup: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e06',
  /** A person of the organization who is in `group`. */
  groupMember: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e07',
  /** A person of the organization who is in no group. */
  member: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e08',
  alert: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e09',
  credential: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e0a',
  guardrail: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e0b',
  limit: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e0f',
  invoice: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e10',
  /** Months: the next one that may be closed, and the last one that was. */
  monthToClose: '2001-01',
  closedMonth: '2001-02',
  policy: 'cheap-first',
  unusedPolicy: 'former-policy',
  alias: 'everyday',
  file: 'file-0a5b0c9d1e0c4b1f8c1e5a524c0e9d5e',
  request: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e0d',
  scimResourceType: 'User',
  scimSchema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  /** One whose contents are kept. */
  keptRequest: '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e0e',
} as const;
export type ExampleKind = keyof typeof EXAMPLE_IDS;
