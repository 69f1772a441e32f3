#!/bin/sh
# A script around the recipe for announcements in Docs/Integrating.md.

# recipe
announce() {
    if command -v audiosession >/dev/null; then
        audiosession with --duck -- espeak-ng "$1"
    else
        espeak-ng "$1"
    fi
}

announce "Dinner is ready."
# end
