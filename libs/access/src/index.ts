// This room answers who is calling and whether that key may do this, to this model.
export * from './ports/change-notices';
export * from './ports/key-directory';
export * from './principal';
