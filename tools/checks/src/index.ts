// This room holds the house rules as specs.
export {};
