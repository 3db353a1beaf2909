// This room knows which models exist, what they can do and what they cost.
export {};
