import VarveCore
import VarveEncoding

/// Collections of an unmanaged object that is stored the short way.
extension ObjectBase {
  /// Makes the collections of an object managed that was stored with their contents.
  ///
  /// - Returns: what stores those once more that others have changed since they were taken.
  final func publish(_ contents: [ObjectAdder.Content]) -> [() -> Void] {
    guard !contents.isEmpty, let context = cell.context else { return [] }
    let (binding, id) = (cell.binding, cell.id)
    var again: [() -> Void] = []
    for content in contents {
      let changed = content.handle.publish(
        context, binding, ownerID: id, slot: content.slot, changes: content.changes)
      if let changed { again.append(changed) }
    }
    return again
  }
}

extension ObjectAdder.Content {
  /// Takes what a collection holds.
  init(_ handle: any _CollectionHandle, _ slot: Int) {
    self.init(uncopied: handle, slot)
    copy()
  }

  /// Of a collection whose content is still to be copied.
  init(uncopied handle: any _CollectionHandle, _ slot: Int) {
    self.init(
      slot: slot, handle: handle, changes: handle.unmanagedChanges, elements: [], entries: [])
  }

  mutating func copy() {
    elements = handle.unmanagedElements
    entries = handle.unmanagedEntries
  }

  var count: Int { elements.count + entries.count }

  /// Whether there is a text or data that is stored apart.
  var holdsLarge: Bool {
    elements.contains(where: \.isLarge)
      || entries.contains { $0.value.isLarge || _Boxed.isLarge($0.key.utf8.count) }
  }

  /// Whether keys and values are such as a collection may hold; links are not looked at.
  func fits(_ kind: PropertyKind) -> Bool {
    for element in elements {
      if let value = element.value, !kind.accepts(value) { return false }
    }
    for (key, element) in entries {
      if !DictionaryRules.isAllowed(key) { return false }
      if let value = element.value, !kind.accepts(value) { return false }
    }
    return true
  }
}

extension [ObjectAdder.Content] {
  /// The content of a slot; nil where it has none. For who goes through the slots in their order, which is that of the
  /// contents.
  ///
  /// `start`: how many contents belong to the slots before.
  func content(of slot: Int, after start: inout Int) -> Element? {
    guard start < count, self[start].slot == slot else { return nil }
    defer { start += 1 }
    return self[start]
  }
}

extension _Boxed {
  fileprivate var isLarge: Bool {
    switch content {
    case .value(.string(let string)): Self.isLarge(string.utf8.count)
    case .value(.data(let data)): Self.isLarge(data.count)
    default: false
    }
  }

  fileprivate static func isLarge(_ byteCount: Int) -> Bool {
    byteCount > ElementCodec.maximumInlineBytes
  }
}
