// This room drives the whole house, in both shapes, with official clients and a fake upstream.
export {};
