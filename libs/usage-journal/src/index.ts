// This room is the durable local log of usage: append, recover, ship, trim.
export {};
