/* A program around the recipe for calls in Docs/Integrating.md: the call lasts until a line of input. */
#include <stdio.h>

/* recipe */
#include "audiosession-loader.h"

static as_session *begin_call(as_manager *manager) {
    as_session *call = NULL;
    as_configuration voice = AS_CONFIGURATION_INIT;
    voice.category = AS_CATEGORY_PLAY_AND_RECORD;
    voice.mode = AS_MODE_VOICE_CHAT; /* music pauses, and media cannot interrupt it */
    as_session_create(manager, &voice, &call, NULL);
    as_session_activate(call, NULL);
    return call;
}

static void end_call(as_session *call) { as_session_destroy(call); } /* and music resumes */
/* end */

int main(void) {
    as_manager *manager = NULL;
    as_manager_open(NULL, &manager, NULL);
    as_session *call = begin_call(manager);
    puts("calling");
    fflush(stdout);
    getchar();
    end_call(call);
    as_manager_close(manager);
    return 0;
}
