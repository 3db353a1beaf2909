// This tool plays a hard limit shared by several regions in virtual time, with every fault, and checks that it holds.
