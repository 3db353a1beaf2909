// This room turns usage and prices into exact integer pico-dollars.
export {};
