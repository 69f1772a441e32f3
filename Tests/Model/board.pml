/* How processes see each other, as a model that spin can look at from every side: three programs with one session each,
 * all of them exclusive and of one priority, and the daemon that puts their tokens in order. Any program reads as late as
 * it likes, and may be killed at any point and start anew; the daemon may restart. (Priorities, mixing and groups are
 * tested on the code itself, by BoardPropertyTests.)
 *
 * Whatever happens:
 *   - of two programs that know the newest news, one at most is active;
 *   - nobody is interrupted but by somebody whose user asked for that place;
 *   - began and ended alternate, the advice is what those who left said, and nobody who was advised to resume is left
 *     with that while somebody else sounds;
 *   - in the end somebody sounds if anybody waits, and nobody is left with a question or half of an answer.
 *
 * A request reaches the daemon at once: what could happen before it got there may as well happen before it was sent.
 * Of one session only the newest token counts and news keep their order, so here a session has one token. Numbers are
 * never used again, not even after a restart; so a place from before it comes first, as it does by its epoch.
 *
 * Scripts/model checks this, and that it fails with each of these faults:
 *   FAULT_NO_FAREWELL   who leaves with notice destroys the token, and says nothing
 *   FAULT_NO_ECHO       a session is active as soon as it asked, in the place that it expects
 *   FAULT_GONE_FIRST    who changes a token destroys the old one first
 *   FAULT_DEAF_TO_NEXT  who was told that he may resume is not told of the next interruption
 *   FAULT_FORGETS_PLACE a token is made anew after a restart as if it was a new one */

#define N 3

/* What a token says. */
#define NONE     0
#define STANDING 1
#define WAITING  2
#define ADVISED  3
#define NOTICE   4 /* released, and others may go on */
#define SILENT   5 /* of a release only: all leave like that when they are killed, so the end of the token says it */
#define stands(kind) (kind == STANDING || kind == WAITING || kind == ADVISED)

/* What a session is, by its own count. */
#define INACTIVE    0
#define ACTIVE      1
#define INTERRUPTED 2
#define TOLD        3 /* that it may resume */

/* The daemon. */
byte liveKind[N], livePlace[N];
byte lastPlace = 0;
short wished = 0; /* one bit for each place that a user asked for */

/* News: whose token, what it says, its place, and, which only the assertions may look at, whether its owner left without
 * notice. */
chan inbox[N] = [8] of { byte, byte, byte, bool };
/* Nobody begins anything while somebody is further behind than this: what has begun has room to end. */
#define hasRoom (len(inbox[0]) <= 3 && len(inbox[1]) <= 3 && len(inbox[2]) <= 3)

/* The programs. */
typedef Row { byte kind[N]; byte place[N] };
Row seen[N];
byte state[N], place[N];
byte asked[N];              /* the place that it waits to see */
bool up[N], grace[N], farewell[N];
bool spoilt[N], spoiltIndeed[N];
byte blockers[N];           /* one bit for each session */
bool hasMissed[N];          /* news, in a restart: the advice may be worse than it could be */

/* How often these may happen, all together. */
byte wishes = WISHES, kills = KILLS, restarts = RESTARTS;

#define isInformed(p) (up[p] && len(inbox[p]) == 0 && seen[p].kind[p] == STANDING && !asked[p])

inline post(owner, kind, rank, quiet) {
    liveKind[owner] = kind;
    livePlace[owner] = rank;
    for (to : 0 .. N - 1) {
        if :: up[to] -> inbox[to]!owner, kind, rank, quiet :: else fi
    }
}

/* Another token for the session, in the same place. */
inline remake(p, what) {
#ifdef FAULT_GONE_FIRST
    post(p, NONE, 0, false);
#endif
    post(p, what, place[p], false)
}

inline release(p, what) {
    state[p] = INACTIVE;
    blockers[p] = 0;
#ifdef FAULT_NO_FAREWELL
    post(p, NONE, 0, what == SILENT)
#else
    if
    /* As all of these do that are killed: the end of the token says as much. */
    :: what == SILENT -> post(p, NONE, 0, true)
    :: else ->
        post(p, what, place[p], false);
        farewell[p] = true
    fi
#endif
}

inline blocks(p, s) {
    isBlocking = s != p && stands(seen[p].kind[s]) && seen[p].place[s] > place[p]
}

/* What the stack means to the session. */
inline evaluate(p) {
    isBlocked = false;
    if
    :: stands(seen[p].kind[p]) &&
       (state[p] == ACTIVE || state[p] == INTERRUPTED || (state[p] == TOLD && !asked[p])) ->
        for (s : 0 .. N - 1) {
            blocks(p, s);
            if
            :: isBlocking ->
                assert(wished & (1 << seen[p].place[s]));
                isBlocked = true;
                blockers[p] = blockers[p] | (1 << s)
            /* It stands, but not above any more: PipeWire went before it heard that it had a new place. */
            :: !isBlocking && s != p && stands(seen[p].kind[s]) -> blockers[p] = blockers[p] & ~(1 << s)
            :: else
            fi
        }
        if
        :: isBlocked && state[p] == ACTIVE -> state[p] = INTERRUPTED /* began */
#ifndef FAULT_DEAF_TO_NEXT
        :: isBlocked && state[p] == TOLD -> /* began, once more */
            state[p] = INTERRUPTED;
            spoilt[p] = false;
            spoiltIndeed[p] = false;
            remake(p, WAITING)
#endif
        :: !isBlocked && state[p] == INTERRUPTED && !asked[p] && !grace[p] -> /* ended */
            assert(hasMissed[p] || spoilt[p] == spoiltIndeed[p]);
            assert(blockers[p] == 0);
            if
            :: spoilt[p] -> release(p, SILENT)
            :: else -> state[p] = TOLD; remake(p, ADVISED)
            fi
        :: else
        fi
    :: else
    fi;
    for (s : 0 .. N - 1) {
        assert(s == p || !(isInformed(p) && isInformed(s) && state[p] == ACTIVE && state[s] == ACTIVE));
        blocks(p, s);
        assert(!isBlocking || !up[p] || len(inbox[p]) > 0 || !stands(seen[p].kind[p]) || asked[p] || state[p] != TOLD)
    }
}

inline start(p) {
    state[p] = ACTIVE;
    blockers[p] = 0;
    spoilt[p] = false;
    spoiltIndeed[p] = false;
    hasMissed[p] = false
}

inline ask(p) {
    lastPlace++;
    wished = wished | (1 << lastPlace);
    asked[p] = lastPlace;
#ifdef FAULT_NO_ECHO
    place[p] = 1;
    for (s : 0 .. N - 1) {
        if :: seen[p].place[s] >= place[p] -> place[p] = seen[p].place[s] + 1 :: else fi
    }
    asked[p] = 0;
    start(p);
#endif
    post(p, STANDING, lastPlace, false)
}

inline read(p) {
    inbox[p]?from, what, where, without;
    wasThere = seen[p].kind[from] != NONE;
    seen[p].kind[from] = what;
    seen[p].place[from] = where;
    if
    :: from == p && asked[p] && asked[p] == where ->
        asked[p] = 0;
        place[p] = where;
        start(p)
    :: from != p && !stands(what) && (!grace[p] || what != NONE || wasThere) && (blockers[p] & (1 << from)) ->
        blockers[p] = blockers[p] & ~(1 << from);
        spoilt[p] = spoilt[p] || what != NOTICE;
        spoiltIndeed[p] = spoiltIndeed[p] || without
    :: else
    fi;
    evaluate(p)
}

/* A program that comes late, or back, is shown what lives. */
inline connect(p) {
    up[p] = true;
    for (s : 0 .. N - 1) {
        seen[p].kind[s] = NONE;
        seen[p].place[s] = 0;
        if
        :: liveKind[s] != NONE -> inbox[p]!s, liveKind[s], livePlace[s], false
        :: else
        fi
    }
    if
    :: state[p] == INACTIVE
    :: else ->
        grace[p] = true;
        hasMissed[p] = true;
#ifdef FAULT_FORGETS_PLACE
        lastPlace++;
        place[p] = lastPlace;
#endif
        if
        :: state[p] == ACTIVE -> post(p, STANDING, place[p], false)
        :: state[p] == INTERRUPTED -> post(p, WAITING, place[p], false)
        :: state[p] == TOLD -> post(p, ADVISED, place[p], false)
        fi
    fi
}

/* Who has not come back by now is taken for gone. */
inline endGrace(p) {
    grace[p] = false;
    for (s : 0 .. N - 1) {
        if
        :: (blockers[p] & (1 << s)) && !stands(seen[p].kind[s]) ->
            blockers[p] = blockers[p] & ~(1 << s);
            spoilt[p] = true
        :: else
        fi
    }
    evaluate(p)
}

/* Killed; the program may be started again. */
inline die(p) {
    do :: inbox[p]?_, _, _, _ :: empty(inbox[p]) -> break od;
    up[p] = false;
    state[p] = INACTIVE;
    place[p] = 0;
    asked[p] = 0;
    grace[p] = false;
    farewell[p] = false;
    blockers[p] = 0;
    spoilt[p] = false;
    spoiltIndeed[p] = false;
    hasMissed[p] = false;
    if :: liveKind[p] != NONE -> post(p, NONE, 0, true) :: else fi;
    for (s : 0 .. N - 1) {
        seen[p].kind[s] = NONE;
        seen[p].place[s] = 0
    }
}

inline clean() {
    s = 0; to = 0; from = 0; what = 0; where = 0;
    without = false; isBlocking = false; isBlocked = false; wasThere = false
}

proctype Program(byte p) {
    byte s, to, from, what, where;
    bool without, isBlocking, isBlocked, wasThere;
end:
    do
    :: atomic { up[p] && len(inbox[p]) > 0 -> read(p); clean() }
    :: atomic { hasRoom && !up[p] -> connect(p); clean() }
    :: atomic { grace[p] && up[p] && len(inbox[p]) == 0 -> endGrace(p); clean() }
    /* What its user wants. */
    :: atomic { hasRoom && wishes > 0 && up[p] && !asked[p] && state[p] != ACTIVE -> wishes--; ask(p); clean() }
    :: atomic { hasRoom && wishes > 0 && up[p] && !asked[p] && state[p] != INACTIVE -> wishes--; release(p, NOTICE); clean() }
    :: atomic { hasRoom && wishes > 0 && up[p] && !asked[p] && state[p] != INACTIVE -> wishes--; release(p, SILENT); clean() }
    /* Time. */
    :: atomic { hasRoom && state[p] == TOLD && !asked[p] && up[p] -> release(p, SILENT); clean() }
    :: atomic {
        hasRoom && farewell[p] && up[p] ->
            farewell[p] = false;
            if :: !stands(liveKind[p]) && liveKind[p] != NONE -> post(p, NONE, 0, false) :: else fi;
            clean()
        }
    :: atomic { hasRoom && kills > 0 && up[p] -> kills--; die(p); clean() }
    od
}

proctype Restarts() {
    byte p;
end:
    do
    :: atomic {
        restarts > 0 && (up[0] || up[1] || up[2]) ->
            restarts--;
            for (p : 0 .. N - 1) {
                do :: inbox[p]?_, _, _, _ :: empty(inbox[p]) -> break od;
                up[p] = false;
                asked[p] = 0;
                farewell[p] = false;
                liveKind[p] = NONE;
                livePlace[p] = 0
            }
            p = 0
        }
    od
}

/* When nothing more can happen. */
proctype End() {
    byte p, s, sounding, interrupted;
    timeout -> d_step {
        for (p : 0 .. N - 1) {
            assert(up[p] && !asked[p] && !grace[p] && !farewell[p] && state[p] != TOLD);
            assert((state[p] == INACTIVE) == (liveKind[p] == NONE));
            for (s : 0 .. N - 1) {
                assert(seen[p].kind[s] == liveKind[s]);
                assert(liveKind[s] == NONE || seen[p].place[s] == livePlace[s])
            }
            sounding = sounding + (state[p] == ACTIVE);
            interrupted = interrupted + (state[p] == INTERRUPTED)
        }
        assert(sounding <= 1);
        assert(interrupted == 0 || sounding == 1)
    }
}

init {
    atomic {
        byte p;
        for (p : 0 .. N - 1) { up[p] = true; run Program(p) }
        run Restarts();
        run End()
    }
}
