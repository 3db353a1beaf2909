// This library joins processes of one machine: calls over a local socket, and the stores of limits that one process keeps for all.
export { createLink, type Link } from './link/create-link';
export { linkChangeNotices, openLinkedStores } from './stores/open-linked-stores';
export { serveStores, type SharedStores } from './stores/serve-stores';
