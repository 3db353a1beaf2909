/** The value of a label whose own value came after the first `valuesMax`. */
const OTHER_LABEL = 'other';

/** Keeps a label to so many different values: whatever comes after the first of them is `other`. */
export function createLabelBound(valuesMax: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= valuesMax) return OTHER_LABEL;
    known.add(value);
    return value;
  };
}
