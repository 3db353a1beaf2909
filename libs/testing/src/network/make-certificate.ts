import { writeCertificate } from '@weir/kafka';
import { makeTestFolder } from '../folders';

/** A certificate for 127.0.0.1 in a folder of its own, signed by itself, good for a day. */
export const makeCertificate = (): ReturnType<typeof writeCertificate> => writeCertificate(makeTestFolder('certificate'));
