import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// Moves an element to another index.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n).
  /// - Precondition: both indexes are within bounds.
  package func move(from source: Int, to target: Int) throws(StorageError) {
    precondition(
      source >= 0 && source < count && target >= 0 && target < count,
      "List index is out of bounds.")
    if source == target { return }
    let element = try copy(at: source)
    try remove(at: source)
    try insert(copied: element, at: target)
  }

  /// Exchanges two elements.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n).
  /// - Precondition: both indexes are within bounds.
  package func swapAt(_ first: Int, _ second: Int) throws(StorageError) {
    precondition(
      first >= 0 && first < count && second >= 0 && second < count,
      "List index is out of bounds.")
    let one = try copy(at: first)
    let other = try copy(at: second)
    try replace(at: first, copied: other)
    try replace(at: second, copied: one)
  }

  /// Returns a copy of an element's bytes outside the editor's memory, which the next operation may
  /// move.
  private func copy(at index: Int) throws(StorageError) -> [UInt8]? {
    let bytes = bytes(at: index)
    try checkReading()
    return bytes.map { [UInt8]($0) }
  }

  private func insert(copied bytes: [UInt8]?, at index: Int) throws(StorageError) {
    guard let bytes else { return try insert(bytes: nil, at: index) }
    try bytes.withUnsafeBufferPointer { (bytes) throws(StorageError) in
      try insert(bytes: UnsafeRawBufferPointer(bytes), at: index)
    }
  }

  private func replace(at index: Int, copied bytes: [UInt8]?) throws(StorageError) {
    guard let bytes else {
      try replace(at: index, bytes: nil)
      return
    }
    try bytes.withUnsafeBufferPointer { (bytes) throws(StorageError) in
      _ = try replace(at: index, bytes: UnsafeRawBufferPointer(bytes))
    }
  }
}
