import VarveEncoding
import VarveStorage

/// The entries of a dictionary in a row of one version, with the keys that they would have outside
/// the row.
///
/// Thread safety: immutable after its creation. The elements belong to the snapshot.
final class StoredRowEntries {
  struct Entry {
    let key: UnsafeRawBufferPointer
    let element: UnsafeRawBufferPointer
  }

  private let entries: RowEntries
  /// The keys, one after another. Owned, and released with this object.
  private let keys: UnsafeMutableRawBufferPointer
  private let ends: [Int]

  /// - Throws: `.corrupted` if the entries cannot be read, or are out of order.
  /// - Complexity: O(bytes).
  init(_ content: CollectionContent, _ snapshot: Snapshot) throws(StorageError) {
    var (all, ends): ([UInt8], [Int]) = ([], [])
    do throws(FormatError) {
      guard let entries = try content.entries else {
        throw FormatError(.badLength, "no entries in the row")
      }
      var (key, last) = (OrderedKey(), OrderedKey())
      for index in 0..<entries.count {
        CollectionEntryKey.begin(&key, collectionID: 0)
        // Keys in rows are too short to be cut.
        _ = key.appendBare(
          bytes: try entries.entry(at: index).key, fileKey: FileKey(low: 0, high: 0))
        let isAfter =
          index == 0
          || last.withUnsafeBytes { last in
            key.withUnsafeBytes { ByteOrder.compare(last, $0) < 0 }
          }
        guard isAfter else { throw FormatError(.badValue, "keys out of order", offset: index) }
        key.withUnsafeBytes { all.append(contentsOf: $0) }
        ends.append(all.count)
        swap(&key, &last)
      }
      self.entries = entries
    } catch {
      throw snapshot.damaged("A dictionary's entry is damaged.")
    }
    self.ends = ends
    keys = .allocate(byteCount: all.count, alignment: 8)
    keys.copyBytes(from: all)
  }

  deinit { keys.deallocate() }

  var count: Int { ends.count }

  /// Returns an entry. Its bytes are valid as long as this object and the snapshot.
  ///
  /// - Precondition: The index is less than the count.
  subscript(index: Int) -> Entry {
    let start = index == 0 ? 0 : ends[index - 1]
    // The bounds were checked at the creation.
    let element =
      (try? entries.entry(at: index).element) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    return Entry(key: UnsafeRawBufferPointer(rebasing: keys[start..<ends[index]]), element: element)
  }
}
