import VarveEncoding
import VarveStorage

/// An entry of a dictionary in one version.
///
/// Thread safety: an immutable value; the bytes belong to the snapshot.
struct MapEntry {
  let key: UnsafeRawBufferPointer
  let element: ElementReader
  let snapshot: Snapshot

  /// - Throws: `.corrupted`, or `.newerFormat` for a value of an unknown type.
  init(
    key: UnsafeRawBufferPointer, element bytes: UnsafeRawBufferPointer, in snapshot: Snapshot
  ) throws(StorageError) {
    self.key = key
    self.snapshot = snapshot
    do throws(FormatError) {
      element = try ElementReader(validating: bytes)
    } catch {
      if error.reason == .unsupported {
        throw StorageError(
          .newerFormat, "A dictionary's value has a type of a newer version.",
          path: snapshot.environment.path)
      }
      throw Self.damaged(snapshot)
    }
  }

  /// Whether the stored key is truncated.
  var isCut: Bool { element.wholeKey != nil }

  /// Returns the whole key.
  ///
  /// - Throws: `.corrupted`.
  func wholeKey() throws(StorageError) -> String {
    let stored: String?
    do throws(FormatError) {
      stored = try CollectionEntryKey.decodeDictionaryKey(key).key
    } catch {
      throw Self.damaged(snapshot)
    }
    if let stored { return stored }
    guard let whole = element.wholeKey, let text = String(validating: whole, as: UTF8.self) else {
      throw Self.damaged(snapshot)
    }
    return text
  }

  /// Whether two entries with equal stored keys have the same whole key.
  func hasSameKey(as other: MapEntry) -> Bool {
    switch (element.wholeKey, other.element.wholeKey) {
    case (nil, nil): true
    case (let left?, let right?): ByteOrder.areEqual(left, right)
    default: false
    }
  }

  /// Whether both entries have the same value, regardless of their keys.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(bytes).
  func hasSameValue(as other: MapEntry) throws(StorageError) -> Bool {
    guard element.type == other.element.type else { return false }
    switch (blob, other.blob) {
    case (nil, nil): return ByteOrder.areEqual(element.payload, other.element.payload)
    case (let left?, let right?): return try left.hasSameBytes(as: right)
    case (let left?, nil): return try left.hasBytes(other.element.payload)
    case (nil, let right?): return try right.hasBytes(element.payload)
    }
  }

  private var blob: StoredBlob? {
    element.blob.map { StoredBlob(reference: $0, snapshot: snapshot) }
  }

  private static func damaged(_ snapshot: Snapshot) -> StorageError {
    snapshot.damaged("A dictionary's entry is damaged.")
  }
}
