/// A piece of work that is measured.
package struct Workload: Sendable {
  /// As on the command line and in results: a variant has a dash.
  package let name: String

  /// A phrase that says what is done, for people.
  package let summary: String

  /// How many operations there are at scale 1, or the sizes of what they are done to.
  let sizesAtScaleOne: [Int]

  /// What the store holds before.
  let preparation: Preparation

  /// Of how many it holds that at scale 1; nil for as many as there are operations.
  private let storedAtScaleOne: Int?

  /// Whether the store is not to be used by others afterwards.
  let changesStore: Bool

  /// Whether the seconds are those of one operation.
  package let isLatency: Bool

  let durability: Durability

  /// Whether an engine has what is needed.
  let isOffered: @Sendable (any Engine) -> Bool

  /// Does it once.
  let measure: @Sendable (any Engine, WorkloadContext) throws -> [Sample]

  /// - Parameters:
  ///   - name: As on the command line.
  ///   - summary: What is done.
  ///   - sizes: How many operations at scale 1; several are measured one by one.
  ///   - preparation: What the store holds before; with nothing each run gets a new one.
  ///   - stored: Of how many it holds that at scale 1; as many as there are operations if it is not given.
  ///   - changesStore: Whether others cannot use the store afterwards.
  ///   - isLatency: Whether the seconds are those of one operation.
  ///   - durability: What commits wait for.
  ///   - measure: Does it once: prepares, times, checks.
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

  /// The sizes at a scale, each at least one, or a hundred where there are several.
  ///
  /// - Parameter scale: What to multiply with.
  /// - Returns: Different sizes in ascending order.
  package func sizes(scale: Double) -> [Int] {
    let least = sizesAtScaleOne.count > 1 ? 100 : 1
    return Set(sizesAtScaleOne.map { max(least, Self.scaled($0, scale)) }).sorted()
  }

  /// Of how many the store holds what it holds.
  func stored(size: Int, scale: Double) -> Int {
    storedAtScaleOne.map { Self.scaled($0, scale) } ?? size
  }

  static func scaled(_ count: Int, _ scale: Double) -> Int {
    max(1, Int((Double(count) * scale).rounded()))
  }
}

extension Workload {
  /// All workloads; those that share a preparation stand together.
  package static let all: [Workload] =
    insertions + lookups + scans + indexedQueries + lists + maps + observations + versions
    + processes + blobs + spools + pages + documents + schemas + questionsInWrites + servers

  /// What `--workloads` is when it is not given.
  package static let standard = ["W1a", "W2", "W3a", "W4a", "W4b", "W5a", "W5b"]

  /// The workloads of a name on the command line: one, or those that begin with the name of a group.
  ///
  /// - Parameter name: The name of a workload, or of several: `all`; what stands before a letter or a dash, as `W3` and
  ///   `F1` do; or a beginning with a star, as `W2*`.
  /// - Returns: The workloads; empty when there is none of that name.
  package static func selected(by name: String) -> [Workload] {
    if name == "all" { return all }
    if name.last == "*" { return all.filter { $0.name.hasPrefix(name.dropLast()) } }
    let exact = all.filter { $0.name == name }
    return exact.isEmpty ? all.filter { group(of: $0.name) == name } : exact
  }

  /// `W3` of `W3c-indexed`, `W3w` of `W3w-sum`, `diff` of `diff-one`.
  static func group(of name: String) -> String {
    guard let first = name.first, first == "W" || first == "F", !name.hasPrefix("W3w-") else {
      return String(name.prefix { $0 != "-" })
    }
    return String(name.prefix(1) + name.dropFirst().prefix { $0.isNumber })
  }
}

/// What the store must hold before the work begins.
enum Preparation: Hashable, Sendable {
  case nothing
  case persons
  /// Persons in a class, a table, with indexes.
  case indexedPersons
  /// Persons by their names.
  case namedPersons
  case list
  case map
  case blobs
  case pages
  case documents
  /// Members, which questions inside of writes are about.
  case members
  /// Issues of an issue tracker.
  case issues
}
