/* How processes observe each other, as a model for spin: three programs with one session each, all
 * of them exclusive and of one priority, and the daemon that orders their tokens. Any program reads
 * as late as it likes, and may be killed at any point and started again; the daemon may restart.
 * (BoardPropertyTests cover priorities, mixing and groups in the code itself.)
 *
 * In every history:
 *   - of two programs that have read all events, at most one is active;
 *   - a session is interrupted only by one whose user requested its place;
 *   - began and ended alternate, the advice follows from how the blockers left, and no session
 *     stays advised while another one sounds;
 *   - in the end one session sounds if any waits, and no request or exchange is unfinished.
 *
 * A request reaches the daemon at once, because an event before its arrival is like one before it
 * was sent. Only the newest token of a session counts and events keep their order, so a session has
 * one token here. Numbers are never reused, not even after a restart, so a place of an earlier run
 * ranks first, as it does by its epoch.
 *
 * Scripts/model checks this, and that it fails with each of these faults:
 *   FAULT_NO_RELEASE    a session that leaves with notify only destroys its token
 *   FAULT_NO_ECHO       a session is active as soon as it requests that, in the place that it
 *                       expects
 *   FAULT_GONE_FIRST    a session that changes its token destroys the old one first
 *   FAULT_IGNORES_NEXT  a session that may resume ignores the next interruption
 *   FAULT_FORGETS_PLACE a token is created after a restart as if it was a new one */

#define N 3

/* The states of a token. */
#define NONE     0
#define STANDING 1
#define WAITING  2
#define ADVISED  3
#define NOTICE   4 /* released, and others may resume */
#define SILENT   5 /* released without notify, which for this kind of session the removal of the token means too */
#define stands(kind) (kind == STANDING || kind == WAITING || kind == ADVISED)

/* The states of a session in its own process. */
#define INACTIVE    0
#define ACTIVE      1
#define INTERRUPTED 2
#define MAY_RESUME  3 /* advised to resume */

/* The daemon. */
byte liveKind[N], livePlace[N];
byte lastPlace = 0;
short requested = 0; /* one bit for each place that a user asked for */

/* Events: the token's owner, its state, its place, and whether the owner left without notify, which
 * only the assertions may read. */
chan inbox[N] = [8] of { byte, byte, byte, bool };
/* No program starts an exchange while another one is further behind than this, so that each can
 * end. */
#define hasRoom (len(inbox[0]) <= 3 && len(inbox[1]) <= 3 && len(inbox[2]) <= 3)

/* The programs. */
typedef Row { byte kind[N]; byte place[N] };
Row seen[N];
byte state[N], place[N];
byte asked[N];              /* the place that it waits for */
bool up[N], grace[N], isReleasing[N];
bool isSpoilt[N], isTrulySpoilt[N];
byte blockers[N];           /* one bit for each session */
bool hasMissed[N];          /* missed events in a restart: the advice may be too cautious */

/* How often these may happen in total. */
byte requests = REQUESTS, kills = KILLS, restarts = RESTARTS;

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
#ifdef FAULT_NO_RELEASE
    post(p, NONE, 0, what == SILENT)
#else
    if
    /* A kill means the same, so the removal of the token suffices. */
    :: what == SILENT -> post(p, NONE, 0, true)
    :: else ->
        post(p, what, place[p], false);
        isReleasing[p] = true
    fi
#endif
}

inline blocks(p, s) {
    isBlocking = s != p && stands(seen[p].kind[s]) && seen[p].place[s] > place[p]
}

/* The effect of the stack on the session. */
inline evaluate(p) {
    isBlocked = false;
    if
    :: stands(seen[p].kind[p]) &&
       (state[p] == ACTIVE || state[p] == INTERRUPTED || (state[p] == MAY_RESUME && !asked[p])) ->
        for (s : 0 .. N - 1) {
            blocks(p, s);
            if
            :: isBlocking ->
                assert(requested & (1 << seen[p].place[s]));
                isBlocked = true;
                blockers[p] = blockers[p] | (1 << s)
            /* It stands, but no longer above: PipeWire ended before it received its new place. */
            :: !isBlocking && s != p && stands(seen[p].kind[s]) -> blockers[p] = blockers[p] & ~(1 << s)
            :: else
            fi
        }
        if
        :: isBlocked && state[p] == ACTIVE -> state[p] = INTERRUPTED /* began */
#ifndef FAULT_IGNORES_NEXT
        :: isBlocked && state[p] == MAY_RESUME -> /* began, once more */
            state[p] = INTERRUPTED;
            isSpoilt[p] = false;
            isTrulySpoilt[p] = false;
            remake(p, WAITING)
#endif
        :: !isBlocked && state[p] == INTERRUPTED && !asked[p] && !grace[p] -> /* ended */
            assert(hasMissed[p] || isSpoilt[p] == isTrulySpoilt[p]);
            assert(blockers[p] == 0);
            if
            :: isSpoilt[p] -> release(p, SILENT)
            :: else -> state[p] = MAY_RESUME; remake(p, ADVISED)
            fi
        :: else
        fi
    :: else
    fi;
    for (s : 0 .. N - 1) {
        assert(s == p || !(isInformed(p) && isInformed(s) && state[p] == ACTIVE && state[s] == ACTIVE));
        blocks(p, s);
        assert(!isBlocking || !up[p] || len(inbox[p]) > 0 || !stands(seen[p].kind[p]) || asked[p] || state[p] != MAY_RESUME)
    }
}

inline start(p) {
    state[p] = ACTIVE;
    blockers[p] = 0;
    isSpoilt[p] = false;
    isTrulySpoilt[p] = false;
    hasMissed[p] = false
}

inline ask(p) {
    lastPlace++;
    requested = requested | (1 << lastPlace);
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
        isSpoilt[p] = isSpoilt[p] || what != NOTICE;
        isTrulySpoilt[p] = isTrulySpoilt[p] || without
    :: else
    fi;
    evaluate(p)
}

/* A program that connects is shown all live tokens. */
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
        :: state[p] == MAY_RESUME -> post(p, ADVISED, place[p], false)
        fi
    fi
}

/* A session that has not returned by now counts as gone. */
inline endGrace(p) {
    grace[p] = false;
    for (s : 0 .. N - 1) {
        if
        :: (blockers[p] & (1 << s)) && !stands(seen[p].kind[s]) ->
            blockers[p] = blockers[p] & ~(1 << s);
            isSpoilt[p] = true
        :: else
        fi
    }
    evaluate(p)
}

/* Kills the program, which may be started again. */
inline die(p) {
    do :: inbox[p]?_, _, _, _ :: empty(inbox[p]) -> break od;
    up[p] = false;
    state[p] = INACTIVE;
    place[p] = 0;
    asked[p] = 0;
    grace[p] = false;
    isReleasing[p] = false;
    blockers[p] = 0;
    isSpoilt[p] = false;
    isTrulySpoilt[p] = false;
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
    /* Requests of its user. */
    :: atomic { hasRoom && requests > 0 && up[p] && !asked[p] && state[p] != ACTIVE -> requests--; ask(p); clean() }
    :: atomic { hasRoom && requests > 0 && up[p] && !asked[p] && state[p] != INACTIVE -> requests--; release(p, NOTICE); clean() }
    :: atomic { hasRoom && requests > 0 && up[p] && !asked[p] && state[p] != INACTIVE -> requests--; release(p, SILENT); clean() }
    /* Deadlines. */
    :: atomic { hasRoom && state[p] == MAY_RESUME && !asked[p] && up[p] -> release(p, SILENT); clean() }
    :: atomic {
        hasRoom && isReleasing[p] && up[p] ->
            isReleasing[p] = false;
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
                isReleasing[p] = false;
                liveKind[p] = NONE;
                livePlace[p] = 0
            }
            p = 0
        }
    od
}

/* Checks the state in which no step is possible. */
proctype End() {
    byte p, s, sounding, interrupted;
    timeout -> d_step {
        for (p : 0 .. N - 1) {
            assert(up[p] && !asked[p] && !grace[p] && !isReleasing[p] && state[p] != MAY_RESUME);
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
