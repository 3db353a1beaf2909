// This room makes loggers that cannot leak secrets, and the metrics registry.
export {};
