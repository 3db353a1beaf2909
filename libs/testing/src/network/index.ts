export { startCuttingProxy, type CuttingProxy, type ProxyMode } from './start-cutting-proxy';
