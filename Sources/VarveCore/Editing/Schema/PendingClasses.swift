/// Counts the classes that a write may add to a file: the classes that the process has used and the
/// classes that they link to, minus the classes in the file.
///
/// Thread safety: only the thread that owns the store's write lock uses it.
final class PendingClasses: @unchecked Sendable {
  // Safe because one thread at a time owns the write lock.
  private var schema: FileSchema?
  private var usedCount = 0
  private var count = 0

  /// Returns the number of classes that may be added, at most
  /// ``WriterState/maximumPendingClasses``.
  ///
  /// - Complexity: O(1) if neither the schema nor the process has a new class; otherwise
  ///   O(classes).
  func count(for schema: FileSchema) -> UInt32 {
    if self.schema !== schema || usedCount != UsedClasses.count { recount(schema) }
    return UInt32(min(count, WriterState.maximumPendingClasses))
  }

  private func recount(_ schema: FileSchema) {
    let used = UsedClasses.all
    var seen: Set<Int> = []
    var names: Set<String> = []
    for model in used where !seen.contains(model.modelIndex) {
      for linked in model.closure() where seen.insert(linked.modelIndex).inserted {
        if schema.schema(named: linked.name) == nil { names.insert(linked.name) }
      }
    }
    count = names.count
    // Following links may have added more known classes, which were counted.
    usedCount = UsedClasses.count
    self.schema = schema
  }
}
