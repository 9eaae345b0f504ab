import VarveEncoding

/// The ranges of compound indexes that satisfy conjuncts of a condition.
struct CompoundRanges {
  /// A predicate on a property, and the conjunct that it comes from.
  private struct PartPredicate {
    let part: Int
    let predicate: PropertyPredicate
  }

  private let model: ClassDescription
  private let schema: ClassSchema
  private let scope: ReadScope
  /// The predicates by property id.
  private var predicates: [UInt32: [PartPredicate]] = [:]

  /// - Parameter parts: The conjuncts of the condition.
  /// - Complexity: O(parts).
  init(_ parts: [Condition], _ model: ClassDescription, _ schema: ClassSchema, _ scope: ReadScope) {
    self.model = model
    self.schema = schema
    self.scope = scope
    guard schema.indexes.contains(where: { $0.properties.count > 1 }) else { return }
    for (position, part) in parts.enumerated() {
      guard let comparison = part.comparison,
        let predicate = PropertyPredicate(comparison, in: scope.store),
        let property = predicate.ownProperty(model, in: schema)
      else { continue }
      predicates[property.id, default: []].append(
        PartPredicate(part: position, predicate: predicate))
    }
  }

  /// The ranges, each with the positions of the conjuncts that it satisfies.
  func ranges() -> [(parts: Set<Int>, range: PlannedRange)] {
    indexes.compactMap { range(of: $0, equalities($0.properties[...])) }
      .filter { !$0.parts.isEmpty }
  }

  /// The ranges whose entries are sorted by the given properties, each with the positions of the
  /// conjuncts that it satisfies. An index qualifies if it ends with these properties and its other
  /// properties are compared for equality with constants.
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
    schema.indexes.filter {
      $0.kind != .fullText && $0.properties.count > 1
        && !$0.properties.contains(where: scope.mayContainMarks)
    }
  }

  /// The constants that the leading properties are compared with for equality. An `IN` predicate
  /// yields several constants for its property.
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

  /// The maximum number of index ranges in one plan.
  private static let mostRanges = 64

  /// The range of an index whose leading properties equal constants, with the bounds of the next
  /// property.
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
      ? predicates[index.properties[equalities.count].id] ?? [] : []
    var ranges: [IndexRange] = []
    for prefix in prefixes {
      guard let range = index.range(equalTo: prefix, fileKey: scope.store.fileKey) else {
        return nil
      }
      ranges.append(range)
    }
    for entry in last {
      let bounded = prefixes.compactMap {
        entry.predicate.range(of: index, after: $0, scope.store.fileKey)
      }
      // A bound that cannot be encoded in the keys of every range is left to the filter.
      guard bounded.count == ranges.count else { continue }
      ranges = zip(ranges, bounded).map { $0.intersection($1) }
      parts.insert(entry.part)
    }
    let names = index.properties.map(model.declaredName).joined(separator: ", ")
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
    for entry in predicates[property.id] ?? [] {
      switch entry.predicate.kind {
      case .compared(.equal, let value): return (entry.part, [value])
      case .among(let values) where !values.isEmpty && values.count <= Self.mostRanges:
        among = among ?? (entry.part, values)
      default: continue
      }
    }
    return among
  }

  private func text(_ parts: Set<Int>) -> String {
    predicates.values.joined().filter { parts.contains($0.part) }.sorted { $0.part < $1.part }
      .map { "\($0.predicate.path) \($0.predicate.text)" }.joined(separator: " AND ")
  }
}

extension PropertyPredicate {
  /// The entries of a compound index whose leading values equal constants and whose next value
  /// satisfies the comparison.
  ///
  /// - Returns: nil for a comparison that no range can express.
  fileprivate func range(
    of index: ClassIndex, after values: [Value], _ fileKey: FileKey
  ) -> IndexRange? {
    if case .compared(.equal, let value) = kind {
      return index.range(equalTo: values + [value], fileKey: fileKey)
    }
    return bounds.flatMap { index.range(equalTo: values, $0, fileKey: fileKey) }
  }
}

extension ClassSchema {
  /// The index that sorts the values of a property: its own index or a unique one.
  func index(of property: StoredProperty, fileKey: FileKey) -> PropertyIndex? {
    if let index = PropertyIndex(property, fileKey: fileKey) { return index }
    for index in indexes where index.properties.first?.id == property.id {
      if let index = PropertyIndex(index, fileKey: fileKey) { return index }
    }
    return nil
  }
}
