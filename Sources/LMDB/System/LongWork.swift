/// Whether the current thread is at work on much of a file: what it looks up adds up, in however
/// many transactions.
enum LongWork {
  private static let mark = ThreadNumber()

  static var isUnderWay: Bool {
    get { mark.current != 0 }
    set { mark.current = newValue ? 1 : 0 }
  }
}

/// Runs work that looks up rows all over files, such as a purge: their memory is given back as it
/// goes on, so that it takes no more of it the larger the files are.
///
/// What is asked for an answer had better keep its pages. Writers' threads always work like this.
package func withBoundedMemory<R>(_ body: () throws(CairnError) -> R) throws(CairnError) -> R {
  let wasUnderWay = LongWork.isUnderWay
  LongWork.isUnderWay = true
  defer { LongWork.isUnderWay = wasUnderWay }
  return try body()
}
