// This room is the gateway's only public door: it admits a request once and hands it to a worker.
export {};
