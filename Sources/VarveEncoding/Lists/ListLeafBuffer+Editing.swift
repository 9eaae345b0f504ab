// Appending, inserting, replacing and removing elements.

extension ListLeafBuffer {
  /// Appends the 8 bytes of an integer, a Double, a date or an object id.
  ///
  /// - Precondition: The format is packed with a width of 8.
  /// - Complexity: Amortized O(1).
  @inlinable
  package func append(bits64 value: UInt64) {
    precondition(format.width == 8, "The elements are not 8 bytes wide")
    var offset = offset(count)
    storage.reserve(offset + 9, keeping: offset)
    if format.isNullable {
      storage.base.store(1 as UInt8, at: offset)
      offset += 1
    }
    storage.base.store(value, at: offset)
    count += 1
  }

  /// Inserts an element given as its bytes; nil inserts null.
  ///
  /// - Precondition: Packed bytes have the format's width, and null is allowed by the format.
  @usableFromInline
  package func insert(bytes: UnsafeRawBufferPointer?, at index: Int) {
    precondition(index >= 0 && index <= count, "Index out of range")
    if let bytes, storage.contains(bytes) {
      Array(bytes).withUnsafeBytes { insert(bytes: $0, at: index) }
      return
    }
    guard format.isPacked else { return insertVariable(bytes, at: index) }
    openPacked(1, at: index)
    storePacked(bytes, at: index)
  }

  /// Replaces an element by one given as its bytes; nil makes it null.
  ///
  /// - Precondition: Packed bytes have the format's width, and null is allowed by the format.
  package func replace(bytes: UnsafeRawBufferPointer?, at index: Int) {
    precondition(index >= 0 && index < count, "Index out of range")
    guard !format.isPacked else { return storePacked(bytes, at: index) }
    if let bytes, storage.contains(bytes) {
      Array(bytes).withUnsafeBytes { replace(bytes: $0, at: index) }
      return
    }
    remove(index..<index + 1)
    insertVariable(bytes, at: index)
  }

  /// Removes the elements of a range.
  package func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range out of bounds")
    if format.isPacked {
      close(from: offset(range.lowerBound), to: offset(range.upperBound), end: offset(count))
    } else {
      let lower = start(range.lowerBound)
      let upper = start(range.upperBound)
      close(from: lower, to: upper, end: start(count))
      ends.removeSubrange(range)
      for index in range.lowerBound..<ends.count { ends[index] -= upper - lower }
    }
    count -= range.count
  }

  private func close(from lower: Int, to upper: Int, end: Int) {
    (storage.base + lower).copyMemory(from: storage.base + upper, byteCount: end - upper)
  }

  /// Opens a gap for packed elements.
  func openPacked(_ number: Int, at index: Int) {
    let end = offset(count)
    storage.reserve(end + number * format.stride, keeping: end)
    (storage.base + offset(index + number)).copyMemory(
      from: storage.base + offset(index), byteCount: end - offset(index))
    count += number
  }

  private func storePacked(_ bytes: UnsafeRawBufferPointer?, at index: Int) {
    var target = storage.base + offset(index)
    if format.isNullable {
      target.store(bytes == nil ? 0 : 1 as UInt8, at: 0)
      target += 1
    }
    guard let bytes else {
      precondition(format.isNullable, "The elements cannot be null")
      target.initializeMemory(as: UInt8.self, repeating: 0, count: format.width)
      return
    }
    precondition(bytes.count == format.width, "The bytes are not an element")
    if let source = bytes.baseAddress {
      target.copyMemory(from: source, byteCount: format.width)
    }
  }

  private func insertVariable(_ bytes: UnsafeRawBufferPointer?, at index: Int) {
    guard let bytes else {
      withUnsafeBytes(of: ElementCodec.null) { insertVariable($0, at: index) }
      return
    }
    let hole = openVariable(bytes.count, at: index)
    if let source = bytes.baseAddress { hole.copyMemory(from: source, byteCount: bytes.count) }
    ends.insert(start(index) + bytes.count, at: index)
    for later in (index + 1)..<ends.count { ends[later] += bytes.count }
    count += 1
  }

  /// Opens a gap for bytes of variable elements; the caller records their ends.
  func openVariable(_ byteCount: Int, at index: Int) -> UnsafeMutableRawPointer {
    let end = start(count)
    let offset = start(index)
    storage.reserve(end + byteCount, keeping: end)
    (storage.base + offset + byteCount).copyMemory(
      from: storage.base + offset, byteCount: end - offset)
    return storage.base + offset
  }
}
