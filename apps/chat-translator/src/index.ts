// This room serves chat completions, responses, messages and embeddings: decode, run attempts, encode, settle.
export {};
