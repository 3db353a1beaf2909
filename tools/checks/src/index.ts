// This room holds the house rules as specs.
export { createHouse, type House, type HouseFile, type HouseProject, type Rule } from './house/house';
export { readHouse } from './house/read-house';
export { RULES } from './rules';
