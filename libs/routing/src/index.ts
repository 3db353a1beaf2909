// This room decides where a request goes, in which order, and when to move on.
export {};
