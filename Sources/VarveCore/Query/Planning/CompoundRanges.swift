import VarveEncoding

/// The ranges of indexes over several properties that parts of a condition lead to.
///
/// Thread safety: an immutable value.
struct CompoundRanges {
  /// What is asked of a property, and by which part.
  private struct Asked {
    let part: Int
    let predicate: PropertyPredicate
  }

  private let schema: ClassSchema
  private let store: StoreFile
  /// By the ids of properties.
  private var asked: [UInt32: [Asked]] = [:]

  /// - Parameters:
  ///   - parts: those that all have to hold.
  ///   - model: the class.
  ///   - schema: the class as the file stores it.
  ///   - store: the store of both.
  /// - Complexity: O(parts).
  init(_ parts: [Condition], _ model: ClassDescription, _ schema: ClassSchema, _ store: StoreFile) {
    self.schema = schema
    self.store = store
    guard schema.indexes.contains(where: { $0.properties.count > 1 }) else { return }
    for (place, part) in parts.enumerated() {
      guard let comparison = part.comparison,
        let predicate = PropertyPredicate(comparison, in: store),
        let property = predicate.ownProperty(model, in: schema)
      else { continue }
      asked[property.id, default: []].append(Asked(part: place, predicate: predicate))
    }
  }

  /// Each range, with the parts that it answers.
  func ranges() -> [(parts: Set<Int>, range: PlannedRange)] {
    indexes.compactMap { range(of: $0, equalities($0.properties[...])) }
      .filter { !$0.parts.isEmpty }
  }

  /// The ranges that have their objects in the order of some properties, with the parts that each answers: those of
  /// indexes that end with the properties, and whose others have to be equal to constants.
  func ranges(
    orderedBy sorted: [StoredProperty]
  ) -> [(parts: Set<Int>, range: PlannedRange)] {
    indexes.compactMap { index in
      let count = index.properties.count - sorted.count
      guard count >= 0,
        index.properties[count...].elementsEqual(sorted, by: { $0.id == $1.id })
      else { return nil }
      let equalities = equalities(index.properties[..<count])
      guard equalities.count == count, equalities.allSatisfy({ $0.values.count == 1 }) else {
        return nil
      }
      return range(of: index, equalities)
    }
  }

  private var indexes: [ClassIndex] {
    schema.indexes.filter { $0.kind != .fullText && $0.properties.count > 1 }
  }

  /// The constants that the first of some properties have to be equal to: several of a property that has to be among some.
  private func equalities(
    _ properties: ArraySlice<StoredProperty>
  ) -> [(part: Int, values: [Value])] {
    var equalities: [(part: Int, values: [Value])] = []
    var combinations = 1
    for property in properties {
      guard let equality = equality(property) else { break }
      combinations *= equality.values.count
      guard combinations <= Self.mostRanges else { break }
      equalities.append(equality)
    }
    return equalities
  }

  /// How many ranges of an index one plan has.
  private static let mostRanges = 64

  /// The range of an index whose first properties are equal to constants, with the bounds of the next one.
  private func range(
    of index: ClassIndex, _ equalities: [(part: Int, values: [Value])]
  ) -> (parts: Set<Int>, range: PlannedRange)? {
    var parts = Set(equalities.map(\.part))
    var prefixes: [[Value]] = [[]]
    for equality in equalities {
      prefixes = prefixes.flatMap { prefix in equality.values.map { prefix + [$0] } }
    }
    let last =
      equalities.count < index.properties.count
      ? asked[index.properties[equalities.count].id] ?? [] : []
    var ranges: [IndexRange] = []
    for prefix in prefixes {
      guard let range = index.range(equalTo: prefix, fileKey: store.fileKey) else { return nil }
      ranges.append(range)
    }
    for asked in last {
      let bounded = prefixes.compactMap {
        asked.predicate.range(of: index, behind: $0, store.fileKey)
      }
      // A bound that does not fit into the keys of each range is left to the filter.
      guard bounded.count == ranges.count else { continue }
      ranges = zip(ranges, bounded).map { $0.intersection($1) }
      parts.insert(asked.part)
    }
    let names = index.properties.map(\.name).joined(separator: ", ")
    let text = RangeText.words(text(parts))
    guard let first = ranges.first else { return nil }
    return (
      parts,
      ranges.count == 1
        ? .index(first, name: names, text: text)
        : .union(IndexUnion(ranges, of: first.index), name: names, text: text)
    )
  }

  private func equality(_ property: StoredProperty) -> (part: Int, values: [Value])? {
    var among: (part: Int, values: [Value])?
    for asked in asked[property.id] ?? [] {
      switch asked.predicate.kind {
      case .compared(.equal, let value): return (asked.part, [value])
      case .among(let values) where !values.isEmpty && values.count <= Self.mostRanges:
        among = among ?? (asked.part, values)
      default: continue
      }
    }
    return among
  }

  private func text(_ parts: Set<Int>) -> String {
    asked.values.joined().filter { parts.contains($0.part) }.sorted { $0.part < $1.part }
      .map { "\($0.predicate.path) \($0.predicate.text)" }.joined(separator: " AND ")
  }
}

extension PropertyPredicate {
  /// The entries of an index over several properties whose first values equal constants, and whose next one satisfies
  /// the comparison.
  ///
  /// - Returns: nil for a comparison that no range has.
  fileprivate func range(
    of index: ClassIndex, behind values: [Value], _ fileKey: FileKey
  ) -> IndexRange? {
    if case .compared(.equal, let value) = kind {
      return index.range(equalTo: values + [value], fileKey: fileKey)
    }
    return bounds.flatMap { index.range(equalTo: values, $0, fileKey: fileKey) }
  }
}

extension ClassSchema {
  /// The index in which the values of a property stand in their order: its own, or a unique one.
  func index(of property: StoredProperty, fileKey: FileKey) -> PropertyIndex? {
    if let index = PropertyIndex(property, fileKey: fileKey) { return index }
    for index in indexes where index.properties.first?.id == property.id {
      if let index = PropertyIndex(index, fileKey: fileKey) { return index }
    }
    return nil
  }
}
