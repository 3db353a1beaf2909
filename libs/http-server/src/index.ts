// This room makes HTTP servers: hot routes ahead of Express, request ids, body limits, errors, health and drain.
export {};
