#ifndef C_TEST_SHELTER_H
#define C_TEST_SHELTER_H

/* Whether this process has its own home, runtime directory and buses. Linking this target is enough to have them. */
int cts_is_sheltered(void);

#endif
