import Varve

extension Realm {
  /// Writes on the calling thread, in asynchronous tests of synchronous writes.
  func writeSynchronously<R>(_ block: () throws -> R) throws -> R { try write(block) }
}
