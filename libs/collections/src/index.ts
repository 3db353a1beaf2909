export { OpenItems, type Place } from './open-items';
