import { spawn } from 'node:child_process';

/** The operating-system user a program runs as; undefined is the user of this process. */
export type ProgramUser = { readonly uid: number; readonly gid: number } | undefined;

type ProgramCall = {
  readonly program: string;
  readonly args: readonly string[];
  readonly user: ProgramUser;
  /** Where the program stands; must be a folder its user may enter. */
  readonly cwd: string;
  readonly input?: string;
  /** A file that stays open in the program, and with it the lock on it, should this process be killed meanwhile. */
  readonly lockFd?: number;
  readonly onBegun?: () => void;
};

/** Runs a program to its end. Rejects with its last words when it does not end with 0. */
export function runProgram({ program, args, user, cwd, input, lockFd, onBegun }: ProgramCall): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...user, cwd, stdio: ['pipe', 'pipe', 'pipe', lockFd ?? 'ignore'], windowsHide: true });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-8_192);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.stdin?.on('error', () => undefined); // a program that died early says so by its exit code
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${signal ?? code}: ${output.trim().slice(-2_000)}`));
    });
    child.stdin?.end(input ?? '');
    onBegun?.();
  });
}
