// This library holds collections for what comes and goes with every request.
export { OpenItems, type Place } from './open-items';
