/* Only the compiler's and the linker's flags are wanted: the peers include what they use. */
