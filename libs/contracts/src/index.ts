// This library holds every shape that crosses a process boundary: endpoints, passport, usage event, management bodies.
export {
  getEndpoint,
  type ServiceId,
  type ErrorDialect,
  type ChatDialect,
  type Permission,
  type ManagementRole,
  type EndpointRow,
  ENDPOINTS,
  COUNTING_ENDPOINTS,
} from './endpoints';
export { MODALITIES, type Modality, type PermissionLevel } from './models/modality';
export {
  ACCOUNT_QUESTION_PATH,
  ACCOUNT_QUESTION,
  ACCOUNT_ANSWER,
  ACCOUNT_QUESTION_MS_MAX,
  sealedMessage,
  accountQuestion,
  type AccountQuestion,
  accountInspection,
  type AccountInspection,
  accountProbe,
  type AccountProbe,
} from './internal/account-question';
export { ALLOWANCE_MEASURES, type Allowance, type AllowanceMeasure, type AllowanceMeasureName } from './internal/allowance';
export { NODE_TIMERS, type Timer, type Timers } from './internal/timers';
export { FAIL_POINTS, type FailPointName, type FailPoint, NO_FAIL_POINT } from './internal/fail-points';
export { signFileLink, readFileLink } from './internal/file-link';
export { INNER_CONNECTIONS } from './internal/inner-connections';
export {
  type Attempt,
  type AttemptBounds,
  type PassportHold,
  type PassportGuardrail,
  PASSPORT_TAKEN_WITHIN_MS,
  type Passport,
} from './internal/passport';
export { priceSheet, type PriceSheet, type ChatPriceSheet, type UnitPriceSheet } from './internal/price-sheet';
export { processReport, type ProcessReport } from './internal/process-report';
export { signPassport, readSignedPassport, PASSPORT_HEADER, PASSPORT_BYTES_MAX } from './internal/signed-passport';
export { readTerms, writeTerms, TERMS_HEADER, type PassportTerms, type WrittenTerms } from './internal/passport-terms';
export { isShortPassport, readShortPassport, signShortPassport, type ShortPassport } from './internal/short-passport';
export { describeGreeting, readGreeting, GREETING, GREETING_HEADER, type Greeting } from './internal/greeting';
export { REQUEST_ID_HEADER, WORK_HEADER, CALLER_HEADER, NOT_BEGUN_HEADER, SEND_TERMS, SEND_WHOLE } from './internal/worker-headers';
export { TOPICS, USAGE_CONSUMER_GROUP } from './events/topics';
export {
  USAGE_STATUSES,
  type UsageUnits,
  usageEvent,
  type UsageEvent,
  type UsageStatus,
  usageCorrection,
  type UsageCorrection,
  type SequencedUsageEvent,
} from './events/usage-event';
export {
  USAGE_DATASETS,
  USAGE_FILE_FORMATS,
  USAGE_MEASURES,
  usageManifest,
  type ExportedFile,
  type UsageDataset,
  type UsageFileFormat,
  type UsageManifest,
  type UsageMeasure,
} from './events/usage-manifest';
export {
  generationListParameters,
  type GenerationListParameters,
  generationNamedValues,
  GENERATION_NAMES_MAX,
  GENERATION_NAME_CHARS_MAX,
} from './generations/generation-list-parameters';
export { limitsQuery, type LimitsQuery } from './plans/limits-query';
export { planBody, PLANNED_ENDPOINTS, type PlanBody } from './plans/plan-body';
export { validateBody, validateBodyInTurns, type BodyProblem, type BodySchema, type ValidatedBody } from './bodies/validate-body';
export { createAccessListBody, previewAccessListBody, updateAccessListBody } from './management/access-lists';
export { createAliasBody, replaceAliasBody, aliasDocument } from './management/aliases';
export {
  ALERT_CHANNELS,
  ALERT_SCOPES,
  alertDeliveryParameters,
  createAlertBody,
  updateAlertBody,
  type CreateAlertBody,
  type UpdateAlertBody,
} from './management/alerts';
export {
  createApiKeyBody,
  setLabelsBody,
  setLimitBody,
  setAccessListBody,
  setGroupBody,
  setExpiryBody,
  setPriorityBody,
  apiKeyListParameters,
  turnShare,
  REQUEST_PRIORITIES,
  type RequestPriorityName,
  rotateApiKeyBody,
} from './management/api-keys';
export {
  createInvoiceBody,
  creditInvoiceBody,
  invoiceListParameters,
  invoiceSettingsBody,
  type CreateInvoiceBody,
  type InvoiceParty,
  type InvoiceRecipient,
  type InvoiceSettingsBody,
} from './management/invoices';
export {
  LIMIT_ACTIONS,
  LIMIT_MEASURES,
  LIMIT_SCOPES,
  LIMIT_WINDOWS,
  type LimitAction,
  type LimitMeasure,
  type LimitScope,
  type LimitWindow,
} from './management/limit-dimensions';
export {
  limitBody,
  limitDocument,
  limitListParameters,
  previewLimitBody,
  type LimitDocument,
  type LimitListParameters,
} from './management/limits';
export { balanceHistoryParameters, autoTopUpBody } from './management/balance';
export {
  CONFIGURATION_KIND,
  CONFIGURATION_VERSION,
  configurationDocument,
  configurationExportParameters,
  configurationParameters,
  configurationSecret,
  isSecretField,
  type ConfigurationDocument,
} from './management/configuration';
export { costCentreReportParameters, costCentresBody, type CostCentresBody } from './management/cost-centres';
export { currencyCode, exchangeRateParameters, importExchangeRatesBody } from './management/exchange-rates';
export {
  createGroupBody,
  updateGroupBody,
  setBudgetBody,
  setUserBudgetBody,
  addGroupMemberBody,
  removeGroupMemberBody,
  setMemberRoleBody,
  setRateLimitBody,
} from './management/groups';
export {
  BUILT_IN_DETECTORS,
  type BuiltInDetector,
  guardrailBody,
  testGuardrailBody,
  type GuardrailDocument,
} from './management/guardrails';
export { addMemberBody, setOrganizationRoleBody, openSessionBody } from './management/members';
export {
  approvedModels,
  organizationSettings,
  updateOrganizationBody,
  previewOrganizationBody,
  type OrganizationSettingsBody,
  auditParameters,
  type AuditParameters,
  auditExportParameters,
  auditVerificationParameters,
} from './management/organization';
export { budgetPlanBody, budgetReportParameters, type BudgetPlanBody } from './management/budget-plans';
export { closeMonthBody, monthCloseParameters, reopenMonthBody, type CloseMonthBody } from './management/month-closes';
export { pageParameters, searchedPageParameters } from './management/pages';
export { refusalListParameters } from './management/refusals';
export type {
  GroupedPerformanceEntry,
  PerformanceEntries,
  PerformanceEntry,
  PerformanceResponse,
  PerformanceTimes,
} from './management/performance';
export { priceListBody, type PriceListBody } from './management/price-list';
export {
  attemptDeadline,
  policyName,
  createPolicyBody,
  replacePolicyBody,
  policyDocument,
  type PolicyDocument,
} from './management/policies';
export { createProviderCredentialBody, rotateProviderCredentialBody, type ProviderSecretBody } from './management/provider-credentials';
export {
  type UsageEntry,
  type GroupedUsageEntry,
  type UsageResponse,
  type UsageWarning,
  type ConvertedBy,
  GROUP_BY_MAX,
  FILTER_DIMENSIONS_MAX,
  FILTER_VALUES_MAX,
  FILTER_CHARS_MAX,
  usageFilter,
  usageParameters,
  usageReplyParameters,
  type UsageParameters,
  usageExportListParameters,
  usageExportParameters,
  type UsageExportParameters,
  reconciliationParameters,
} from './management/usage';
export { USAGE_DIMENSIONS, type UsageDimension } from './management/usage-dimensions';
export { measurePattern } from './patterns/measure-pattern';
