import VarveEncoding
import VarveStorage

/// Numbers for large values, the same for equal ones only.
///
/// A blob is read only where another one of its size has been met.
///
/// Thread safety: a value for one thread.
struct BlobWords {
  private struct Size: Hashable {
    let type: PropertyType?
    let byteCount: UInt64
  }

  /// A blob of one history; of two that share no ids one is told from the other by `isOfFirst`.
  private struct Name: Hashable {
    let reference: BlobReference
    let type: PropertyType?
    let isOfFirst: Bool
  }

  private struct Known {
    let blob: StoredBlob
    let word: Int
  }

  private var words: [Name: Int] = [:]
  /// The first blob of each size.
  private var first: [Size: Known] = [:]
  /// By the hash of their bytes, the blobs of a size of which there are several.
  private var several: [Size: [Int: [Known]]] = [:]
  /// The version whose ids `Name.isOfFirst` speaks of.
  private var snapshot: Snapshot?
  private var count = 0

  /// - Throws: `.corrupted` when chunks are missing or have another size.
  /// - Complexity: O(bytes) where another blob of the size has been met, O(1) for one that has been met.
  mutating func word(of blob: StoredBlob, _ type: PropertyType?) throws(StorageError) -> Int {
    let base = snapshot ?? blob.snapshot
    snapshot = base
    let name = Name(
      reference: blob.reference, type: type, isOfFirst: blob.snapshot.sharesIDs(with: base))
    if let word = words[name] { return word }
    let word = try find(blob, Size(type: type, byteCount: blob.reference.byteCount))
    words[name] = word
    return word
  }

  private mutating func find(_ blob: StoredBlob, _ size: Size) throws(StorageError) -> Int {
    let new = Known(blob: blob, word: count)
    guard let first = first[size] else {
      first[size] = new
      count += 1
      return new.word
    }
    if several[size] == nil { several[size] = [try Self.hash(first.blob): [first]] }
    let hash = try Self.hash(blob)
    for known in several[size]?[hash] ?? [] where try known.blob.hasSameBytes(as: blob) {
      return known.word
    }
    several[size, default: [:]][hash, default: []].append(new)
    count += 1
    return new.word
  }

  private static func hash(_ blob: StoredBlob) throws(StorageError) -> Int {
    var hasher = Hasher()
    try blob.hash(into: &hasher)
    return hasher.finalize()
  }
}
