/* Only the compiler's and the linker's flags are used: the peers include their headers. */
