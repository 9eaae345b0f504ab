/// A range of keys: from `lower`, inclusive, to `upper`, exclusive.
package struct KeyBounds: Hashable, Sendable {
  package let lower: OrderedKey
  /// nil: to the end of the table.
  package let upper: OrderedKey?
  /// Whether every key in the range matches the request. If not, all have the same first
  /// ``OrderedKey/maximumValueBytes`` bytes of value, are cut, and differ only in the whole bytes
  /// in their entries.
  package let isExact: Bool
}

extension OrderedKey {
  /// Returns the smallest key that is above every key that begins with this one; nil if there is
  /// none.
  package func afterAllWithPrefix() -> OrderedKey? {
    var next = self
    while let last = next.bytes.popLast() {
      if last != 0xFF {
        next.bytes.append(last + 1)
        return next
      }
    }
    return nil
  }

  /// Returns the range of all keys that begin with this one.
  package func boundsOfPrefix() -> KeyBounds {
    KeyBounds(lower: self, upper: afterAllWithPrefix(), isExact: true)
  }

  /// Returns the range of the keys that begin with this one, followed by a string or data with the
  /// given prefix.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the values; may be empty.
  ///   - type: `string` or `data`; the mixed form separates them.
  ///   - form: The form of the values in the keys.
  /// - Returns: The range. It is not exact if the prefix is longer than the part that cut keys
  ///   keep: then the entries in it must be compared by their whole bytes.
  package func prefixBounds(
    bytes prefix: UnsafeRawBufferPointer, type: PropertyType, form: KeyForm = .typed
  ) -> KeyBounds {
    let start = bytes.count
    var lower = self
    switch form {
    case .typed: lower.append(byte: Self.present)
    case .mixed: lower.append(byte: type == .data ? KeyRank.data : KeyRank.string)
    case .bare: break
    }
    // Bytes beyond the border do not matter; one more byte indicates that there are some.
    lower.appendEscapes(UnsafeRawBufferPointer(rebasing: prefix.prefix(Self.maximumValueBytes + 1)))
    guard lower.count - start > Self.maximumValueBytes else { return lower.boundsOfPrefix() }
    lower.truncate(to: start + Self.maximumValueBytes)
    return lower.groupBounds
  }

  /// Returns the range of all cut keys that share the first ``maximumValueBytes`` bytes of the
  /// value part, which begins at `valueStart`; nil if the value part was not cut.
  package func cutGroupBounds(valueStart: Int) -> KeyBounds? {
    let border = valueStart + Self.maximumValueBytes
    guard bytes.count >= valueStart + Self.cutValueBytes, bytes[border] == Self.cutMarker else {
      return nil
    }
    var lower = self
    lower.truncate(to: border)
    return lower.groupBounds
  }

  /// The range of the cut keys that begin with this one, which ends at the border.
  private var groupBounds: KeyBounds {
    var lower = self
    var upper = self
    lower.append(byte: Self.cutMarker)
    upper.append(byte: Self.cutMarker + 1)
    return KeyBounds(lower: lower, upper: upper, isExact: false)
  }
}
