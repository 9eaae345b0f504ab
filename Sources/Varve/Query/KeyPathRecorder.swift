/// Notes which properties a key path reads; objects that it is evaluated on have one each.
///
/// Thread safety: none; it is used by one call on one thread.
public final class _KeyPathRecorder: @unchecked Sendable {
  // Safe because nobody but the call that evaluates the key path has it.

  /// What all recorders of one evaluation share.
  private final class Log {
    var reads: [PropertyDescriptor] = []
    var isChain = true
    var answer: (place: Int, box: _Boxed)?
    var lastObject: ObjectBase?
  }

  private let log: Log
  /// How many reads led to the object.
  private let depth: Int

  private init(_ log: Log) {
    self.log = log
    depth = log.reads.count
  }

  /// Begins an evaluation.
  ///
  /// - Parameter answer: the number of a read, and what it gives in place of the default.
  convenience init(answer: (place: Int, box: _Boxed)? = nil) {
    self.init(Log())
    log.answer = answer
  }

  /// The properties read, in order.
  var reads: [PropertyDescriptor] { log.reads }

  /// Whether each read was of the object that the read before gave.
  var isChain: Bool { log.isChain }

  /// The object that the last read gave, and that only it gave.
  var lastObject: ObjectBase? { log.lastObject }

  /// Whether the last read gave the answer that was set.
  var hasAnswered: Bool { log.answer.map { $0.place == log.reads.count - 1 } ?? false }

  /// Notes a read.
  ///
  /// - Returns: what it shall give; nil for the value that the object has.
  func note(_ property: PropertyDescriptor) -> _Boxed? {
    if log.reads.count != depth { log.isChain = false }
    log.reads.append(property)
    log.lastObject = nil
    return hasAnswered ? log.answer?.box : nil
  }

  /// The recorder of an object that the last read gives.
  func following(_ object: ObjectBase) -> _KeyPathRecorder {
    log.lastObject = object
    return _KeyPathRecorder(log)
  }
}
