import type { Rule } from '../repository/repository';

const STATUS = /(^|[\s·*_-])status[*_]*\s*:/im;

/** A decision without a status looks like a proposal. */
export const checkDecisionRecords: Rule = ({ files }) => {
  const records = files.filter(({ path }) => /^docs\/decisions\/\d{4}-[^/]+\.md$/.test(path));
  if (records.length === 0) return ['docs/decisions: holds no record'];
  return records.filter(({ text }) => !STATUS.test(text)).map(({ path }) => `${path}: has no status line`);
};
