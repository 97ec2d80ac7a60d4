import Glibc

/// A number that each thread has its own of, 0 at first.
struct ThreadNumber: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    self.key = key
  }

  var current: Int {
    get { unsafe Int(bitPattern: pthread_getspecific(key)) }
    nonmutating set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
}
