import VarveEncoding

/// The ranges of indexes over several properties that parts of a condition lead to.
///
/// Thread safety: an immutable value.
struct CompoundRanges {
  /// What is asked of a property, and by which part.
  private struct Asked {
    let part: Int
    let criterion: PropertyCriterion
  }

  private let schema: ClassSchema
  private let store: Store
  /// By the ids of properties.
  private var asked: [UInt32: [Asked]] = [:]

  /// - Parameters:
  ///   - parts: those that all have to hold.
  ///   - model: the class.
  ///   - schema: the class as the file stores it.
  ///   - store: the store of both.
  /// - Complexity: O(parts).
  init(_ parts: [Condition], _ model: ClassDescription, _ schema: ClassSchema, _ store: Store) {
    self.schema = schema
    self.store = store
    guard schema.indexes.contains(where: { $0.properties.count > 1 }) else { return }
    for (place, part) in parts.enumerated() {
      guard let comparison = part.comparison,
        let criterion = PropertyCriterion(comparison, in: store),
        let property = criterion.ownProperty(model, in: schema)
      else { continue }
      asked[property.id, default: []].append(Asked(part: place, criterion: criterion))
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
      return equalities.count == count ? range(of: index, equalities) : nil
    }
  }

  private var indexes: [ClassIndex] {
    schema.indexes.filter { $0.kind != .fullText && $0.properties.count > 1 }
  }

  /// The constants that the first of some properties have to be equal to.
  private func equalities(
    _ properties: ArraySlice<StoredProperty>
  ) -> [(part: Int, value: Value)] {
    var equalities: [(part: Int, value: Value)] = []
    for property in properties {
      guard let equality = equality(property) else { break }
      equalities.append(equality)
    }
    return equalities
  }

  /// The range of an index whose first properties are equal to constants, with the bounds of the next one.
  private func range(
    of index: ClassIndex, _ equalities: [(part: Int, value: Value)]
  ) -> (parts: Set<Int>, range: PlannedRange)? {
    var parts = Set(equalities.map(\.part))
    var bounds = (lower: IndexBound.none, upper: IndexBound.none)
    if equalities.count < index.properties.count {
      bounds = self.bounds(index.properties[equalities.count], &parts)
    }
    guard
      let range = index.range(
        equalTo: equalities.map(\.value), bounds.lower, bounds.upper, fileKey: store.fileKey)
    else { return nil }
    let names = index.properties.map(\.name).joined(separator: ", ")
    return (parts, .index(range, name: names, text: .words(text(parts))))
  }

  private func equality(_ property: StoredProperty) -> (part: Int, value: Value)? {
    for asked in asked[property.id] ?? [] {
      if case .compared(.equal, let value) = asked.criterion.question {
        return (asked.part, value)
      }
    }
    return nil
  }

  private func bounds(
    _ property: StoredProperty, _ parts: inout Set<Int>
  ) -> (lower: IndexBound, upper: IndexBound) {
    var bounds = (lower: IndexBound.none, upper: IndexBound.none)
    for asked in asked[property.id] ?? [] {
      switch asked.criterion.question {
      case .between(let lower, let upper)
      where bounds.lower.value == nil && bounds.upper.value == nil && lower.hasOrder
        && upper.hasOrder:
        bounds = (.inclusive(lower), .inclusive(upper))
      case .compared(.greater, let value) where bounds.lower.value == nil && value.hasOrder:
        bounds.lower = .exclusive(value)
      case .compared(.greaterOrEqual, let value) where bounds.lower.value == nil && value.hasOrder:
        bounds.lower = .inclusive(value)
      case .compared(.less, let value) where bounds.upper.value == nil && value.hasOrder:
        bounds.upper = .exclusive(value)
      case .compared(.lessOrEqual, let value) where bounds.upper.value == nil && value.hasOrder:
        bounds.upper = .inclusive(value)
      default: continue
      }
      parts.insert(asked.part)
    }
    return bounds
  }

  private func text(_ parts: Set<Int>) -> String {
    asked.values.joined().filter { parts.contains($0.part) }.sorted { $0.part < $1.part }
      .map { "\($0.criterion.path) \($0.criterion.text)" }.joined(separator: " AND ")
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
