// This library finds what an organization does not want to pass, in requests and replies, and masks it so that it can be put back.
export { findEngineProblem } from './detectors/create-pattern-detector';
export { listStreamTexts } from './replies/list-stream-texts';
export { createStreamGuard, type StreamGuard } from './replies/stream-guard';
export { listReplyTexts, screenReply, type ReplyScreens } from './replies/screen-reply';
export { listTexts, screenLongRequest, screenRequest, type RequestBody } from './requests/screen-request';
export { addLiterals, type Literals } from './rules/add-literals';
export { createRuleCompiler, type CompiledRules, type StageRules } from './rules/compile-rules';
export type { GuardrailRule, Stage } from './rules/guardrail-rule';
export { createMaskBook, type MaskBook } from './rules/mask-book';
export { screenPieces, type ScreenedPieces } from './screen/screen-pieces';
export { screenText } from './screen/screen-text';
export { tryRules } from './screen/try-rules';
export { createRestoringScreen, createScreen, createSightings } from './screen/screen';
