import { createAccessListBody } from '@weir/contracts';
import { checkBody, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import { NO_PATTERNS, readAllPatterns, writePatterns, type PatternTexts } from './patterns';

export type AccessListForm = { readonly name: string; readonly isOpenEnded: boolean; readonly patterns: PatternTexts };

export const EMPTY_ACCESS_LIST: AccessListForm = { name: '', isOpenEnded: false, patterns: NO_PATTERNS };

export function fillAccessList(list: Schemas['AccessList']): AccessListForm {
  return { name: list.name, isOpenEnded: list.auto_approve, patterns: writePatterns(list) };
}

export function toAccessListBody({ name, isOpenEnded, patterns }: AccessListForm): Schemas['CreateAccessList'] {
  return { name: name.trim(), auto_approve: isOpenEnded, ...readAllPatterns(patterns) };
}

export function findAccessListErrors(form: AccessListForm): FieldErrors {
  return checkBody(createAccessListBody, toAccessListBody(form));
}
