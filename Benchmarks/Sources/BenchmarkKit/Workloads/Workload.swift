/// A unit of work that is measured.
package struct Workload: Sendable {
  /// The name on the command line and in results. A variant has a dash.
  package let name: String

  /// A phrase that describes the work.
  package let summary: String

  /// The number of operations at scale 1, or the sizes of the data they operate on.
  let sizesAtScaleOne: [Int]

  /// The contents of the store before the work.
  let preparation: Preparation

  /// The number of stored objects at scale 1; nil if it is the number of operations.
  private let storedAtScaleOne: Int?

  /// Whether the work changes the store, so that other workloads cannot use it afterwards.
  let changesStore: Bool

  /// Whether the seconds are those of one operation.
  package let isLatency: Bool

  let durability: Durability

  /// Whether an engine supports the workload.
  let isOffered: @Sendable (any Engine) -> Bool

  /// Runs the workload once.
  let measure: @Sendable (any Engine, WorkloadContext) throws -> [Sample]

  /// - Parameters:
  ///   - name: The name on the command line.
  ///   - summary: A phrase that describes the work.
  ///   - sizes: The number of operations at scale 1. Several sizes are measured separately.
  ///   - preparation: The contents of the store before the work. With none, each run gets a new
  ///     store.
  ///   - stored: The number of stored objects at scale 1; nil if it is the number of operations.
  ///   - changesStore: Whether other workloads cannot use the store afterwards.
  ///   - isLatency: Whether the seconds are those of one operation.
  ///   - durability: The guarantee of a commit.
  ///   - measure: Runs the workload once: prepares, times and checks it.
  init<E>(
    _ name: String, _ summary: String, _ sizes: Int..., on preparation: Preparation = .nothing,
    stored: Int? = nil, changesStore: Bool = false, isLatency: Bool = false,
    durability: Durability = .full,
    _ measure: @escaping @Sendable (E, WorkloadContext) throws -> [Sample]
  ) {
    self.name = name
    self.summary = summary
    self.sizesAtScaleOne = sizes
    self.preparation = preparation
    storedAtScaleOne = stored
    self.changesStore = changesStore
    self.isLatency = isLatency
    self.durability = durability
    isOffered = { $0 is E }
    self.measure = { engine, context in
      guard let offered = engine as? E else { throw NotOffered("not \(E.self)") }
      return try measure(offered, context)
    }
  }

  /// The sizes at a scale: each is at least one, or at least a hundred if there are several.
  ///
  /// - Returns: Distinct sizes in ascending order.
  package func sizes(scale: Double) -> [Int] {
    let least = sizesAtScaleOne.count > 1 ? 100 : 1
    return Set(sizesAtScaleOne.map { max(least, Self.scaled($0, scale)) }).sorted()
  }

  /// The number of stored objects at a scale.
  func stored(size: Int, scale: Double) -> Int {
    storedAtScaleOne.map { Self.scaled($0, scale) } ?? size
  }

  static func scaled(_ count: Int, _ scale: Double) -> Int {
    max(1, Int((Double(count) * scale).rounded()))
  }
}

extension Workload {
  /// All workloads. Workloads with the same preparation are adjacent.
  package static let all: [Workload] =
    insertions + lookups + scans + indexedQueries + lists + smallLists + maps + smallMaps
    + observations + versions + processes + blobs + spools + pages + documents + schemas
    + questionsInWrites + servers + notes

  /// The default of `--workloads`.
  package static let standard = ["W1a", "W2", "W3a", "W4a", "W4b", "W5a", "W5b"]

  /// The workloads selected by a name on the command line.
  ///
  /// - Parameter name: The name of a workload; the name of a group, which is the part in front of a
  ///   letter or a dash, such as `W3` and `F1`; a prefix with a star, such as `W2*`; or `all`.
  /// - Returns: The workloads; empty when the name is unknown.
  package static func selected(by name: String) -> [Workload] {
    if name == "all" { return all }
    if name.last == "*" { return all.filter { $0.name.hasPrefix(name.dropLast()) } }
    let exact = all.filter { $0.name == name }
    return exact.isEmpty ? all.filter { group(of: $0.name) == name } : exact
  }

  /// The group: `W3` for `W3c-indexed`, `W3w` for `W3w-sum`, `diff` for `diff-one`.
  static func group(of name: String) -> String {
    guard let first = name.first, first == "W" || first == "F", !name.hasPrefix("W3w-") else {
      return String(name.prefix { $0 != "-" })
    }
    return String(name.prefix(1) + name.dropFirst().prefix { $0.isNumber })
  }
}

/// The contents of the store before the work.
enum Preparation: Hashable, Sendable {
  case nothing
  case persons
  /// Persons in a class or table with indexes.
  case indexedPersons
  /// Persons by name.
  case namedPersons
  case list
  case map
  /// Objects that each have a small list.
  case smallLists
  /// Objects that each have a small dictionary.
  case smallMaps
  case blobs
  case pages
  case documents
  /// Members, for the queries inside writes.
  case members
  /// Issues of an issue tracker.
  case issues
  /// Texts with a full-text index.
  case notes
}
