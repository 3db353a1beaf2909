import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Certificate = {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** Where the certificate is, for processes that are to trust it. */
  readonly path: string;
};

/** Writes a certificate for 127.0.0.1 into a folder, signed by itself, good for a day. */
export function writeCertificate(directory: string): Certificate {
  const [keyPath, path] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', [...made, '-keyout', keyPath, '-out', path, ...subject], { stdio: 'pipe' });
  return { key: readFileSync(keyPath), cert: readFileSync(path), path };
}
