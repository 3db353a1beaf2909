// This library knows what a configuration document says, and what has to be done so that an organization looks like it.
export { checkDocument, describeProblems, PROBLEMS_MAX } from './document/check-document';
export { explainDeploymentKind, findDeploymentKind, readDeploymentDocument, type DeploymentDocument } from './document/deployment-kinds';
export { resolveSecrets, type KeptSecret } from './document/configuration-secrets';
export { mergeDocuments, type NamedDocument } from './document/merge-documents';
export type { Problem } from './document/problem';
export { readDocumentsApart } from './document/read-documents-apart';
export { readDocumentText, UnreadableDocument, writeDocumentText } from './document/read-document-text';
export { keyOf, type ConfigurationKind, type CurrentObject, type DesiredObject, type Fields } from './plan/configuration-object';
export { hideSecrets, showWithoutSecrets, type DigestSecret } from './plan/hide-secrets';
export { KINDS } from './plan/kinds';
export { listDesired } from './plan/list-desired';
export { planChanges, type PlanOptions } from './plan/plan-changes';
export type { Claim, FieldChange, Step } from './plan/step';
export { renderPlan, summarize } from './render/render-plan';
export { writeDocument } from './render/write-document';
