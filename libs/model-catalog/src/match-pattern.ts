/**
 * Whether a model id fits one of the patterns: `*` stands for any run of characters, everything else for itself. Worked
 * out once for a list: a set for exact ids, and globs tried in time linear in the id.
 */
export function createPatternMatcher(patterns: readonly string[]): (id: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(compileGlob);
  if (globs.length === 0) return (id) => exact.has(id);
  return (id) => exact.has(id) || globs.some((matches) => matches(id));
}

/**
 * Taking the leftmost place for each part between stars is always right, because a star takes up any rest. So nothing is
 * tried twice, unlike in a regular expression, where many stars can take exponential time.
 */
function compileGlob(pattern: string): (id: string) => boolean {
  const parts = pattern.split('*');
  const head = parts[0] ?? '';
  const tail = parts[parts.length - 1] ?? '';
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const shortest = head.length + tail.length;
  return (id) => {
    if (id.length < shortest || !id.startsWith(head) || !id.endsWith(tail)) return false;
    const end = id.length - tail.length;
    let position = head.length;
    for (const part of middle) {
      const found = id.indexOf(part, position);
      if (found === -1 || found + part.length > end) return false;
      position = found + part.length;
    }
    return true;
  };
}
