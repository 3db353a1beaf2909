// Property tests draw the same cases in every run, so that a run says something about the code and not about its luck.
// What specs import as fast-check is this. PROPERTY_SEED=random, or a number, draws others: the hunt for cases no one thought of.
const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

const { PROPERTY_SEED = '1' } = process.env;
const seed = PROPERTY_SEED === 'random' ? Math.floor(Math.random() * 0x7fffffff) : Number(PROPERTY_SEED);
if (!Number.isInteger(seed)) throw new Error('PROPERTY_SEED: give a whole number, or "random"');
fc.configureGlobal({ seed });
module.exports = fc;
