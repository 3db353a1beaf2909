// This room holds every shape that crosses a process boundary: endpoints, passport, usage event, management bodies.
export * from './endpoints';
export * from './modality';
export * from './internal/passport';
export * from './internal/price-sheet';
export * from './internal/signed-passport';
export * from './events/topics';
export * from './events/usage-event';
export * from './management/access-lists';
export * from './management/api-keys';
export * from './management/groups';
export * from './management/members';
export * from './management/organization';
export * from './management/usage';
