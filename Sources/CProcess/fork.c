#include "CProcess.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CAPACITY = 1024, FREE = -1, TAKEN = -2 };

/* A registered socket. The inode identifies it, because the program may reuse the number of a
 * closed file before the slot is freed. */
static struct slot {
    atomic_int file; /* plus 1, so that a zeroed slot is free */
    _Atomic uint64_t inode;
} slots[CAPACITY];

static atomic_bool is_forked;

static bool is_socket(int file, uint64_t *inode) {
    struct stat status;
    if (fstat(file, &status) < 0 || !S_ISSOCK(status.st_mode))
        return false;
    *inode = status.st_ino;
    return true;
}

/* Runs in the child before fork returns, so it may use only atomics and system calls. */
static void close_in_child(void) {
    int before = errno;
    atomic_store(&is_forked, true);
    for (int slot = 0; slot < CAPACITY; slot++) {
        int file = atomic_exchange(&slots[slot].file, FREE + 1) - 1;
        uint64_t inode;
        if (file >= 0 && is_socket(file, &inode) && inode == atomic_load(&slots[slot].inode))
            close(file);
    }
    errno = before;
}

static void prepare(void) { pthread_atfork(NULL, NULL, close_in_child); }

void cpr_handle_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
}

bool cpr_is_forked_child(void) { return atomic_load(&is_forked); }

static bool is_registered(int file, uint64_t inode) {
    for (int slot = 0; slot < CAPACITY; slot++)
        if (atomic_load(&slots[slot].file) == file + 1 && atomic_load(&slots[slot].inode) == inode)
            return true;
    return false;
}

int cpr_close_in_children(int file) {
    uint64_t inode;
    if (!is_socket(file, &inode) || is_registered(file, inode))
        return -1;
    for (int slot = 0; slot < CAPACITY; slot++) {
        int free = FREE + 1;
        if (!atomic_compare_exchange_strong(&slots[slot].file, &free, TAKEN + 1))
            continue;
        atomic_store(&slots[slot].inode, inode);
        atomic_store(&slots[slot].file, file + 1);
        return slot;
    }
    return -1;
}

void cpr_forget_socket(int slot) {
    if (slot >= 0)
        atomic_store(&slots[slot].file, FREE + 1);
}
