/* How programs evaluate a token that its owner had numbered early and shows late, as a model for
 * spin. Two owners have tokens numbered, show them in any order, and confirm and remove them at any
 * time. One program exists from the beginning and reads as late as it likes; another may start at
 * any moment.
 *
 * In every history: when the first program has read all events and has no token to review, it
 * counts the same tokens as a program that starts then.
 *
 * A token has high or low priority; a low one is refused if an older high one counts. To confirm a
 * token, its owner replaces it with another one, which always counts. (Here the daemon does both at
 * once.)
 *
 * Scripts/model checks this, and that it fails with each of these faults:
 *   FAULT_COUNTS_ALL    a token that was held back counts like any other
 *   FAULT_NO_REVIEW     a refused token stays refused
 *   FAULT_NO_DOUBT      a token is granted for good although a refused one would have forbidden it */

#ifndef K
#define K 5 /* the number of tokens */
#endif

#define SHOWN     0
#define SURE      1 /* shown to confirm another one */
#define REMOVED   2

/* In order of arrival. */
typedef List {
    byte count;
    byte serial[K];
    bool isHigh[K], isSure[K], isRefused[K], isDoubtful[K]
}

List live;  /* the daemon's; it evaluates nothing */
List early; /* the first program's */
List late;  /* of a program that starts now */
chan events = [3] of { byte, byte, bool };
byte lastSerial = 0;
byte heldBack[K]; /* serials that were numbered and not shown; 0: none */

inline find(list, which) {
    at = 0;
    do
    :: at < list.count && list.serial[at] != which -> at++
    :: else -> break
    od
}

inline append(list, which, high, sure) {
    list.serial[list.count] = which;
    list.isHigh[list.count] = high;
    list.isSure[list.count] = sure;
    list.isRefused[list.count] = false;
    list.isDoubtful[list.count] = false;
    list.count++
}

inline remove(list, which) {
    find(list, which);
    do
    :: at + 1 < list.count ->
        list.serial[at] = list.serial[at + 1];
        list.isHigh[at] = list.isHigh[at + 1];
        list.isSure[at] = list.isSure[at + 1];
        list.isRefused[at] = list.isRefused[at + 1];
        list.isDoubtful[at] = list.isDoubtful[at + 1];
        at++
    :: else -> break
    od;
    list.count--;
    list.serial[list.count] = 0;
    list.isHigh[list.count] = false;
    list.isSure[list.count] = false;
    list.isRefused[list.count] = false;
    list.isDoubtful[list.count] = false
}

/* Evaluates the token at a position. */
inline evaluate(list, position) {
    isRefused = false;
    isUnsure = false;
    for (other : 0 .. K - 1) {
        if
#ifndef FAULT_COUNTS_ALL
        /* It was held back. */
        :: other < position && list.serial[other] > list.serial[position] -> isRefused = true
#endif
        :: else
        fi
    }
    if
    :: isRefused || list.isHigh[position] || list.isSure[position]
    :: else ->
        for (other : 0 .. K - 1) {
            if
            :: other >= list.count || other == position || !list.isHigh[other]
            :: else ->
                if
                :: !list.isRefused[other] && list.serial[other] < list.serial[position] -> isRefused = true
                :: list.isRefused[other] && other < position -> isUnsure = true
                :: else
                fi
            fi
        }
    fi
}

inline settle(list, position) {
    evaluate(list, position);
    list.isRefused[position] = isRefused;
#ifdef FAULT_NO_DOUBT
    isUnsure = false;
#endif
    list.isDoubtful[position] = isRefused || isUnsure
}

inline read() {
    events?what, which, high;
    if
    :: what != REMOVED ->
        append(early, which, high, what == SURE);
        settle(early, early.count - 1)
    :: else -> remove(early, which)
    fi
}

/* Whether a review would change anything. */
inline findReview() {
    isDue = false;
    for (position : 0 .. K - 1) {
        if
        :: position < early.count && early.isDoubtful[position] ->
            evaluate(early, position);
            if :: isRefused != early.isRefused[position] -> isDue = true; due = position :: else fi
        :: else
        fi
    }
}

inline compare() {
    late.count = 0;
    for (position : 0 .. K - 1) {
        if
        :: position < live.count ->
            append(late, live.serial[position], live.isHigh[position], live.isSure[position]);
            settle(late, position)
        :: else
        fi
    }
    for (position : 0 .. K - 1) {
        assert(position >= live.count || late.isRefused[position] == early.isRefused[position])
    }
    do
    :: late.count > 0 ->
        late.count--;
        late.serial[late.count] = 0;
        late.isHigh[late.count] = false;
        late.isSure[late.count] = false;
        late.isRefused[late.count] = false;
        late.isDoubtful[late.count] = false
    :: else -> break
    od
}

inline clean() {
    at = 0; other = 0; position = 0; what = 0; which = 0; due = 0;
    high = false; isRefused = false; isUnsure = false; isDue = false
}

active proctype Program() {
    byte at, other, position, what, which, due;
    bool high, isRefused, isUnsure, isDue;
end:
    do
    :: atomic { len(events) > 0 -> read(); clean() }
    :: atomic {
        len(events) == 0 ->
#ifndef FAULT_NO_REVIEW
            findReview();
#endif
            if
            :: isDue -> evaluate(early, due); early.isRefused[due] = isRefused
            :: else -> compare()
            fi;
            clean()
        }
    od
}

inline reveal(serial) {
    if
    :: high = false
    :: high = true
    fi;
    append(live, serial, high, false);
    events!SHOWN, serial, high
}

active proctype Owners() {
    byte at, place;
    bool high;
end:
    do
    :: atomic { lastSerial < K && len(events) < 3 -> lastSerial++; reveal(lastSerial); high = false }
    :: atomic { lastSerial < K -> lastSerial++; heldBack[lastSerial - 1] = lastSerial }
    :: atomic {
        len(events) < 3 ->
            select(place : 0 .. K - 1);
            if
            :: heldBack[place] != 0 -> heldBack[place] = 0; reveal(place + 1)
            :: else
            fi;
            high = false; place = 0
        }
    :: atomic {
        len(events) < 3 && live.count > 0 ->
            select(place : 0 .. K - 1);
            if
            :: place < live.count -> events!REMOVED, live.serial[place], false; remove(live, live.serial[place])
            :: else
            fi;
            at = 0; place = 0
        }
    :: atomic {
        len(events) < 2 && live.count > 0 && lastSerial < K ->
            select(place : 0 .. K - 1);
            if
            :: place < live.count ->
                lastSerial++;
                high = live.isHigh[place];
                events!REMOVED, live.serial[place], false;
                remove(live, live.serial[place]);
                append(live, lastSerial, high, true);
                events!SURE, lastSerial, high
            :: else
            fi;
            high = false; place = 0; at = 0
        }
    od
}
