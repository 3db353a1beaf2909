import { userInfo } from 'node:os';

/** Who works here, for the audit log. In a container the user may be a number without a name. */
export function nameOperator(readName: () => string = () => userInfo().username): string {
  try {
    return readName();
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
