// This library turns usage and prices into exact integer pico-dollars.
export * from './compile-price-sheet';
export * from './price-units';
export * from './price-usage';
export * from './usd';
