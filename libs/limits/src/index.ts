// This room knows how much is left: money holds in every scope, request rates, the free-model day.
export {};
