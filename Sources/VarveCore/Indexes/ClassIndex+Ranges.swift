package import VarveEncoding

extension ClassIndex {
  /// The entries of a compound index whose leading values equal constants and whose next value is
  /// within bounds. Like every `IndexRange`, it contains exactly the entries that satisfy the
  /// comparisons.
  ///
  /// - Parameters:
  ///   - values: The constants of the leading properties.
  ///   - bounds: The bounds of the next property. None if all properties have constants.
  /// - Returns: nil for an index on one property, for a full-text index, and for constants that are
  ///   too long for a key.
  package func range(
    equalTo values: [Value], _ bounds: ValueBounds = .none, fileKey: FileKey
  ) -> IndexRange? {
    guard kind != .fullText, properties.count > 1, values.count <= properties.count else {
      return nil
    }
    let index = PropertyIndex(
      id: id, kind: properties[0].kind, linkClass: properties[0].linkedClassID,
      isUnique: kind == .unique, fileKey: fileKey)
    var key = index.prefix
    for (value, property) in zip(values, properties) {
      guard key.appendEqual(value, property, fileKey) else { return .nothing(of: index) }
    }
    guard key.isWholeInKeys else { return nil }
    var span = IndexSpan(lower: key, upper: key.afterAllWithPrefix())
    for (bound, isAbove) in [(bounds.lower, true), (bounds.upper, false)] {
      guard let value = bound.value else { continue }
      guard values.count < properties.count else { return nil }
      guard bounds.inSortOrder || value.hasOrder,
        let keys = key.compared(with: value, properties[values.count], fileKey)
      else {
        return .nothing(of: index)
      }
      guard keys.edges.lower.isWholeInKeys else { return nil }
      let half =
        isAbove
        ? IndexSpan(
          lower: bound.isInclusive ? keys.edges.lower : keys.edges.upper, upper: keys.end)
        : IndexSpan(
          lower: bounds.inSortOrder ? key : keys.start,
          upper: bound.isInclusive ? keys.edges.upper : keys.edges.lower)
      guard let both = span.intersection(half) else { return .nothing(of: index) }
      span = both
    }
    return IndexRange(
      index: index, spans: [span], hasOneValue: values.count == properties.count)
  }
}

extension OrderedKey {
  /// Whether keys contain the complete value parts. Longer value parts are truncated in keys.
  fileprivate var isWholeInKeys: Bool { count - IndexKey.valueStart <= Self.maximumValueBytes }

  /// Appends the value part of the values that equal a constant.
  ///
  /// - Returns: false if no value equals the constant.
  fileprivate mutating func appendEqual(
    _ value: Value, _ property: StoredProperty, _ fileKey: FileKey
  ) -> Bool {
    let type = property.kind.type
    switch value {
    case .null:
      appendWholePart(value, propertyType: type, fileKey: fileKey)
    case .string, .data:
      guard type == .mixed || value.type == type else { return false }
      appendWholePart(value, propertyType: type, fileKey: fileKey)
    default:
      guard let edges = edgesOfEqual(to: value, type: type, linkClass: property.linkedClassID),
        edges.lower < edges.upper
      else { return false }
      self = edges.lower
    }
    return true
  }

  /// The keys that begin with this key, followed by a value that is comparable with a constant.
  fileprivate func compared(
    with value: Value, _ property: StoredProperty, _ fileKey: FileKey
  ) -> (start: OrderedKey, end: OrderedKey?, edges: KeyEdges)? {
    let type = property.kind.type
    switch value {
    case .string, .data:
      guard type == .mixed || value.type == type else { return nil }
      var key = self
      key.appendWholePart(value, propertyType: type, fileKey: fileKey)
      var start = self
      start.append(byte: key.bytes[count])
      return (
        start, start.afterAllWithPrefix(),
        KeyEdges(lower: key, upper: key.afterAllWithPrefix() ?? key)
      )
    default:
      let keys = comparedKeys(
        with: value, type: type, linkClass: property.linkedClassID, fileKey: fileKey)
      return keys.map { ($0.start, $0.end, $0.edges) }
    }
  }
}
