/// Counts the classes that a write may bring into a file: those that the process has used, and those that
/// they link to, without those that the file has.
///
/// Thread safety: only the thread that has the store's write lock uses it.
final class PendingClasses: @unchecked Sendable {
  // Safe because one thread at a time has the write lock.
  private var schema: FileSchema?
  private var knownCount = 0
  private var count = 0

  /// How many classes may come, at most ``WriterState/maximumPendingClasses``.
  ///
  /// - Complexity: O(1) while neither the schema nor the process has got a new class; O(classes) then.
  func count(for schema: FileSchema) -> UInt32 {
    if self.schema !== schema || knownCount != KnownClasses.count { recount(schema) }
    return UInt32(min(count, WriterState.maximumPendingClasses))
  }

  private func recount(_ schema: FileSchema) {
    let known = KnownClasses.all
    var seen: Set<Int> = []
    var names: Set<String> = []
    for model in known where !seen.contains(model.modelIndex) {
      for linked in model.closure() where seen.insert(linked.modelIndex).inserted {
        if schema.schema(named: linked.name) == nil { names.insert(linked.name) }
      }
    }
    count = names.count
    // Looking at links may have brought more classes, which were counted.
    knownCount = KnownClasses.count
    self.schema = schema
  }
}
