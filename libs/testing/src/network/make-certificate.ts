import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '../folders';

type Certificate = {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** Where the certificate is, for processes that are to trust it. */
  readonly path: string;
};

/** A certificate for 127.0.0.1, signed by itself, good for a day. */
export function makeCertificate(): Certificate {
  const directory = makeTestFolder('certificate');
  const [keyPath, path] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
    '-keyout',
    keyPath,
    '-out',
    path,
  ];
  execFileSync('openssl', [...made, ...subject], { stdio: 'pipe' });
  return { key: readFileSync(keyPath), cert: readFileSync(path), path };
}
