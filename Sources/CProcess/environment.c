#include "CProcess.h"

extern char **environ;

char *const *cpr_environment(void) { return environ; }
