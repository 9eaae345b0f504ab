import Synchronization

/// The model classes that this process has used, in any store.
///
/// Thread safety: a lock guards them.
package enum KnownClasses {
  /// Guards the classes. No code of a model runs under it.
  private static let classes = Mutex<[ClassDescription]>([])
  /// Guards the function that finds classes of the program that were not used.
  private static let finder = Mutex<(@Sendable (String) -> ClassDescription?)?>(nil)

  static func insert(_ model: ClassDescription) { classes.withLock { $0.append(model) } }

  static var all: [ClassDescription] { classes.withLock { $0 } }
  static var count: Int { classes.withLock { $0.count } }

  /// Sets the function that finds a class of the program by its name, whether it was used or not.
  package static func setFinder(_ find: @escaping @Sendable (String) -> ClassDescription?) {
    finder.withLock { $0 = find }
  }

  /// The class with a name: one that was used, or one that the finder knows.
  ///
  /// - Complexity: O(classes).
  static func named(_ name: String) -> ClassDescription? {
    if let used = all.first(where: { $0.name == name }) { return used }
    let find = finder.withLock { $0 }
    return find?(name)
  }
}

/// Counts the classes that a write may bring into a file: those that the process has used, and those that
/// they link to, without those that the file has.
///
/// Thread safety: only the thread that has the store's write lock uses it.
final class ClassesToCome: @unchecked Sendable {
  // Safe because one thread at a time has the write lock.
  private var schema: FileSchema?
  private var knownCount = 0
  private var count = 0

  /// How many classes may come, at most ``Store/maximumClassesToCome``.
  ///
  /// - Complexity: O(1) while neither the schema nor the process has got a new class; O(classes) then.
  func count(for schema: FileSchema) -> UInt32 {
    if self.schema !== schema || knownCount != KnownClasses.count { recount(schema) }
    return UInt32(min(count, Store.maximumClassesToCome))
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
