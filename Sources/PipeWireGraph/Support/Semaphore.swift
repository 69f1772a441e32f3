import Glibc

/// Counts signals, and lets threads wait for one each.
///
/// Not Dispatch's: importing that here takes some types of the C library away from whoever imports this module.
package final class Semaphore: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func signal() { sem_post(semaphore) }

    package func wait() { while sem_wait(semaphore) != 0 {} }
}
