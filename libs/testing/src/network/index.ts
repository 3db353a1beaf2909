export { makeCertificate } from './make-certificate';
export { startCuttingProxy, type CuttingProxy, type ProxyMode } from './start-cutting-proxy';
