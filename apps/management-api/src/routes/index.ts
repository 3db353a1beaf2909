import { createAccessList } from './access-lists/create-access-list.route';
import { deleteAccessList } from './access-lists/delete-access-list.route';
import { listAccessLists } from './access-lists/list-access-lists.route';
import { previewAccessList } from './access-lists/preview-access-list.route';
import { readAccessList } from './access-lists/read-access-list.route';
import { updateAccessList } from './access-lists/update-access-list.route';
import { createAlert } from './alerts/create-alert.route';
import { deleteAlert } from './alerts/delete-alert.route';
import { listAlertDeliveries } from './alerts/list-alert-deliveries.route';
import { listAlerts } from './alerts/list-alerts.route';
import { testAlert } from './alerts/test-alert.route';
import { updateAlert } from './alerts/update-alert.route';
import { createApiKey } from './api-keys/create-api-key.route';
import { listApiKeys } from './api-keys/list-api-keys.route';
import { readApiKeyUsage } from './api-keys/read-api-key-usage.route';
import { readApiKey } from './api-keys/read-api-key.route';
import { readCallingApiKeyUsage } from './api-keys/read-calling-api-key-usage.route';
import { readCallingApiKeyForEditors } from './api-keys/read-calling-api-key-for-editors.route';
import { readCallingApiKey } from './api-keys/read-calling-api-key.route';
import { revokeApiKey } from './api-keys/revoke-api-key.route';
import { rotateApiKey } from './api-keys/rotate-api-key.route';
import { setApiKeyAccessList } from './api-keys/set-api-key-access-list.route';
import { setApiKeyExpiry } from './api-keys/set-api-key-expiry.route';
import { setApiKeyGroup } from './api-keys/set-api-key-group.route';
import { setApiKeyLabels } from './api-keys/set-api-key-labels.route';
import { setApiKeyPriority } from './api-keys/set-api-key-priority.route';
import { setApiKeyLimit } from './api-keys/set-api-key-limit.route';
import { applyConfiguration } from './configuration/apply-configuration.route';
import { exportConfiguration } from './configuration/export-configuration.route';
import { previewConfiguration } from './configuration/preview-configuration.route';
import { listBalanceHistory } from './balance/list-balance-history.route';
import { readAutoTopUp } from './balance/read-auto-top-up.route';
import { readBalance } from './balance/read-balance.route';
import { setAutoTopUp } from './balance/set-auto-top-up.route';
import { readBudgetPlan } from './budgets/read-budget-plan.route';
import { replaceBudgetPlan } from './budgets/replace-budget-plan.route';
import { reportBudgets } from './budgets/report-budgets.route';
import { readCostCentres } from './cost-centres/read-cost-centres.route';
import { replaceCostCentres } from './cost-centres/replace-cost-centres.route';
import { reportCostCentres } from './cost-centres/report-cost-centres.route';
import { importExchangeRates } from './finance/import-exchange-rates.route';
import { readPriceList } from './finance/read-price-list.route';
import { replacePriceList } from './finance/replace-price-list.route';
import { readExchangeRates } from './finance/read-exchange-rates.route';
import { addGroupMember } from './groups/add-group-member.route';
import { createGroup } from './groups/create-group.route';
import { deleteGroup } from './groups/delete-group.route';
import { listGroups } from './groups/list-groups.route';
import { readGroup } from './groups/read-group.route';
import { removeGroupMember } from './groups/remove-group-member.route';
import { setGroupAccessList } from './groups/set-group-access-list.route';
import { setGroupBudget } from './groups/set-group-budget.route';
import { setGroupLabels } from './groups/set-group-labels.route';
import { setGroupMemberBudget } from './groups/set-group-member-budget.route';
import { setGroupMemberLimit } from './groups/set-group-member-limit.route';
import { setGroupMemberRateLimit } from './groups/set-group-member-rate-limit.route';
import { setGroupMemberRole } from './groups/set-group-member-role.route';
import { setGroupUserBudget } from './groups/set-group-user-budget.route';
import { updateGroup } from './groups/update-group.route';
import { createCreditNote } from './invoices/create-credit-note.route';
import { createInvoice } from './invoices/create-invoice.route';
import { listInvoices } from './invoices/list-invoices.route';
import { previewInvoice } from './invoices/preview-invoice.route';
import { readInvoicePdf } from './invoices/read-invoice-pdf.route';
import { readInvoiceSettings } from './invoices/read-invoice-settings.route';
import { readInvoice } from './invoices/read-invoice.route';
import { replaceInvoiceSettings } from './invoices/replace-invoice-settings.route';
import { closeMonth } from './month-closes/close-month.route';
import { readMonthClose } from './month-closes/read-month-close.route';
import { reopenMonth } from './month-closes/reopen-month.route';
import { addMember } from './members/add-member.route';
import { readContents } from './contents/read-contents.route';
import { listMembers } from './members/list-members.route';
import { offboardMember } from './members/offboard-member.route';
import { setMemberRole } from './members/set-member-role.route';
import { exportAudit } from './organization/export-audit.route';
import { listAudit } from './organization/list-audit.route';
import { previewOrganization } from './organization/preview-organization.route';
import { readOrganization } from './organization/read-organization.route';
import { updateOrganization } from './organization/update-organization.route';
import { verifyAudit } from './organization/verify-audit.route';
import { listProviders } from './providers/list-providers.route';
import { exportOrganizationUsage } from './usage/export-organization-usage.route';
import { listRefusals } from './refusals/list-refusals.route';
import { listUsageExports } from './usage/list-usage-exports.route';
import { readOrganizationPerformance } from './usage/read-organization-performance.route';
import { readOrganizationUsage } from './usage/read-organization-usage.route';
import { readReconciliation } from './usage/read-reconciliation.route';
import { createProviderCredential } from './provider-credentials/create-provider-credential.route';
import { deleteProviderCredential } from './provider-credentials/delete-provider-credential.route';
import { listProviderCredentials } from './provider-credentials/list-provider-credentials.route';
import { readProviderCredential } from './provider-credentials/read-provider-credential.route';
import { rotateProviderCredential } from './provider-credentials/rotate-provider-credential.route';
import { testProviderCredential } from './provider-credentials/test-provider-credential.route';
import { createPolicy } from './policies/create-policy.route';
import { deletePolicy } from './policies/delete-policy.route';
import { listPolicies } from './policies/list-policies.route';
import { readPolicy } from './policies/read-policy.route';
import { replacePolicy } from './policies/replace-policy.route';
import { createAlias } from './aliases/create-alias.route';
import { deleteAlias } from './aliases/delete-alias.route';
import { listAliases } from './aliases/list-aliases.route';
import { readAlias } from './aliases/read-alias.route';
import { replaceAlias } from './aliases/replace-alias.route';
import { createGuardrail } from './guardrails/create-guardrail.route';
import { deleteGuardrail } from './guardrails/delete-guardrail.route';
import { listGuardrails } from './guardrails/list-guardrails.route';
import { readGuardrail } from './guardrails/read-guardrail.route';
import { replaceGuardrail } from './guardrails/replace-guardrail.route';
import { testGuardrail } from './guardrails/test-guardrail.route';
import { createLimit } from './limits/create-limit.route';
import { deleteLimit } from './limits/delete-limit.route';
import { listLimits } from './limits/list-limits.route';
import { previewLimit } from './limits/preview-limit.route';
import { readLimit } from './limits/read-limit.route';
import { replaceLimit } from './limits/replace-limit.route';
import { listResourceTypes, listSchemas, readConfiguration, readResourceType, readSchema } from './scim/discovery.routes';
import {
  createGroup as createScimGroup,
  deleteGroup as deleteScimGroup,
  listGroups as listScimGroups,
  patchGroup as patchScimGroup,
  readGroupResource,
  replaceGroup as replaceScimGroup,
  searchGroups,
} from './scim/groups.routes';
import { createUser, deleteUser, listUsers, patchUser, readUserResource, replaceUser, searchUsers } from './scim/users.routes';
import type { Route } from '../route/route';

/** The address book: every route of the management interface. */
export const ROUTES: readonly Route[] = [
  createAccessList,
  deleteAccessList,
  listAccessLists,
  previewAccessList,
  readAccessList,
  updateAccessList,
  createApiKey,
  listApiKeys,
  readApiKeyUsage,
  readApiKey,
  readCallingApiKeyForEditors,
  readCallingApiKeyUsage,
  readCallingApiKey,
  revokeApiKey,
  rotateApiKey,
  setApiKeyAccessList,
  setApiKeyExpiry,
  setApiKeyGroup,
  setApiKeyLabels,
  setApiKeyLimit,
  setApiKeyPriority,
  addGroupMember,
  createGroup,
  deleteGroup,
  listGroups,
  readGroup,
  removeGroupMember,
  setGroupAccessList,
  setGroupBudget,
  setGroupLabels,
  setGroupMemberBudget,
  setGroupMemberLimit,
  setGroupMemberRateLimit,
  setGroupMemberRole,
  setGroupUserBudget,
  updateGroup,
  addMember,
  listMembers,
  offboardMember,
  setMemberRole,
  readContents,
  listAudit,
  exportAudit,
  verifyAudit,
  exportConfiguration,
  previewConfiguration,
  applyConfiguration,
  listProviders,
  readOrganization,
  previewOrganization,
  updateOrganization,
  readOrganizationUsage,
  readOrganizationPerformance,
  exportOrganizationUsage,
  listUsageExports,
  readReconciliation,
  createProviderCredential,
  deleteProviderCredential,
  listProviderCredentials,
  readProviderCredential,
  rotateProviderCredential,
  testProviderCredential,
  createPolicy,
  deletePolicy,
  listPolicies,
  readPolicy,
  replacePolicy,
  createAlias,
  deleteAlias,
  listAliases,
  readAlias,
  replaceAlias,
  createGuardrail,
  deleteGuardrail,
  listGuardrails,
  readGuardrail,
  replaceGuardrail,
  testGuardrail,
  createLimit,
  deleteLimit,
  listLimits,
  previewLimit,
  readLimit,
  replaceLimit,
  createAlert,
  deleteAlert,
  listAlertDeliveries,
  listRefusals,
  listAlerts,
  testAlert,
  updateAlert,
  readExchangeRates,
  importExchangeRates,
  readCostCentres,
  replaceCostCentres,
  reportCostCentres,
  readPriceList,
  replacePriceList,
  readBudgetPlan,
  replaceBudgetPlan,
  reportBudgets,
  closeMonth,
  readMonthClose,
  reopenMonth,
  createCreditNote,
  createInvoice,
  listInvoices,
  previewInvoice,
  readInvoicePdf,
  readInvoiceSettings,
  readInvoice,
  replaceInvoiceSettings,
  listBalanceHistory,
  readAutoTopUp,
  readBalance,
  setAutoTopUp,
  readConfiguration,
  listResourceTypes,
  readResourceType,
  listSchemas,
  readSchema,
  listUsers,
  searchUsers,
  createUser,
  readUserResource,
  replaceUser,
  patchUser,
  deleteUser,
  listScimGroups,
  searchGroups,
  createScimGroup,
  readGroupResource,
  replaceScimGroup,
  patchScimGroup,
  deleteScimGroup,
];
