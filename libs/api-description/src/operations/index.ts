import type { Operation } from './operation';
import { ACCESS_LIST_OPERATIONS } from './access-lists';
import { API_KEY_OPERATIONS } from './api-keys';
import { BUDGET_OPERATIONS } from './budgets';
import { CHAT_OPERATIONS } from './chat';
import { CONFIGURATION_OPERATIONS } from './configuration';
import { EMBEDDING_OPERATIONS } from './embeddings';
import { FILE_OPERATIONS } from './files';
import { FINANCE_OPERATIONS } from './finance';
import { GROUP_OPERATIONS } from './groups';
import { INVOICE_OPERATIONS } from './invoices';
import { LIMIT_OPERATIONS } from './limits';
import { MEDIA_OPERATIONS } from './media';
import { MEMBER_OPERATIONS } from './members';
import { MODEL_OPERATIONS } from './models';
import { MONTH_CLOSE_OPERATIONS } from './month-closes';
import { MONEY_OPERATIONS } from './money';
import { ORGANIZATION_PAGE_OPERATIONS } from './organization-pages';
import { PROVIDER_CREDENTIAL_OPERATIONS } from './provider-credentials';
import { RULE_OPERATIONS } from './rules';
import { PROVISIONING_OPERATIONS } from './provisioning';
import { SETTING_OPERATIONS } from './settings';
import { USAGE_OPERATIONS } from './usage';

/** The address book: what is public about each row of the endpoint table. */
export const OPERATIONS: readonly Operation[] = [
  ...CHAT_OPERATIONS,
  ...EMBEDDING_OPERATIONS,
  ...MEDIA_OPERATIONS,
  ...FILE_OPERATIONS,
  ...MODEL_OPERATIONS,
  ...ORGANIZATION_PAGE_OPERATIONS,
  ...ACCESS_LIST_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...MEMBER_OPERATIONS,
  ...SETTING_OPERATIONS,
  ...CONFIGURATION_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...LIMIT_OPERATIONS,
  ...FINANCE_OPERATIONS,
  ...MONTH_CLOSE_OPERATIONS,
  ...BUDGET_OPERATIONS,
  ...INVOICE_OPERATIONS,
  ...MONEY_OPERATIONS,
  ...PROVIDER_CREDENTIAL_OPERATIONS,
  ...RULE_OPERATIONS,
  ...PROVISIONING_OPERATIONS,
];

/** Fields of forms that are files; examples name sample files in them. */
export const FILE_FIELDS: ReadonlySet<string> = new Set(['file', 'image', 'image[]', 'mask']);
