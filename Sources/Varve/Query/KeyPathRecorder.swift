/// Records the properties that a key path reads. Each object that the key path is evaluated on has
/// a recorder.
///
/// Thread safety: none. A recorder is used by one call on one thread.
public final class _KeyPathRecorder: @unchecked Sendable {
  // Safe because only the call that evaluates the key path has access to it.

  /// The state that all recorders of one evaluation share.
  private final class Log {
    var reads: [PropertyDescriptor] = []
    var isChain = true
    var answer: (index: Int, box: _Boxed)?
    var lastObject: ObjectBase?
  }

  private let log: Log
  /// The number of reads that led to the object.
  private let depth: Int

  private init(_ log: Log) {
    self.log = log
    depth = log.reads.count
  }

  /// Creates the recorder of the root object for a new evaluation.
  ///
  /// - Parameter answer: The number of a read, and the value that the read returns instead of the
  ///   default.
  convenience init(answer: (index: Int, box: _Boxed)? = nil) {
    self.init(Log())
    log.answer = answer
  }

  /// The properties read, in order.
  var reads: [PropertyDescriptor] { log.reads }

  /// Whether each read was on the object that the previous read returned.
  var isChain: Bool { log.isChain }

  /// The object that the last read returned and no earlier read did.
  var lastObject: ObjectBase? { log.lastObject }

  /// Whether the last read returned the given answer.
  var hasAnswered: Bool { log.answer.map { $0.index == log.reads.count - 1 } ?? false }

  /// Records a read.
  ///
  /// - Returns: The value that the read returns, or nil to return the value of the object.
  func note(_ property: PropertyDescriptor) -> _Boxed? {
    if log.reads.count != depth { log.isChain = false }
    log.reads.append(property)
    log.lastObject = nil
    return hasAnswered ? log.answer?.box : nil
  }

  /// Creates the recorder of the object that the last read returned.
  func following(_ object: ObjectBase) -> _KeyPathRecorder {
    log.lastObject = object
    return _KeyPathRecorder(log)
  }
}
