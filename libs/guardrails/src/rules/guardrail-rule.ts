import type { PassportGuardrail } from '@weir/contracts';

/** One guardrail as it holds for a request. */
export type GuardrailRule = Readonly<PassportGuardrail>;
export type Stage = 'input' | 'output';
