import VarveEncoding
import VarveStorage

/// Assigns numbers to large values; equal values get equal numbers, different values different
/// ones.
///
/// A blob is read only if another blob of its size and checksum was seen before.
///
/// Thread safety: a value for one thread.
struct BlobWords {
  /// What blobs with the same bytes have in common.
  private struct Digest: Hashable {
    let type: PropertyType?
    let byteCount: UInt32
    let checksum: UInt32
  }

  /// Identifies a blob of one history. `isOfFirst` distinguishes the blobs of two histories that
  /// share no ids.
  private struct Name: Hashable {
    let reference: BlobReference
    let type: PropertyType?
    let isOfFirst: Bool
  }

  private struct Numbered {
    let blob: StoredBlob
    let word: Int
  }

  private var words: [Name: Int] = [:]
  /// The first blob of each digest.
  private var first: [Digest: Numbered] = [:]
  /// The blobs of each digest with several blobs, by the hash of their bytes.
  private var several: [Digest: [Int: [Numbered]]] = [:]
  /// The version to whose ids `Name.isOfFirst` refers.
  private var snapshot: Snapshot?
  private var count = 0

  /// - Throws: `.corrupted` when chunks are missing or have another size.
  /// - Complexity: O(bytes) if another blob of the digest was seen before, O(1) for a blob seen
  ///   before.
  mutating func word(of blob: StoredBlob, _ type: PropertyType?) throws(StorageError) -> Int {
    let base = snapshot ?? blob.snapshot
    snapshot = base
    let name = Name(
      reference: blob.reference, type: type, isOfFirst: blob.snapshot.sharesIDs(with: base))
    if let word = words[name] { return word }
    let digest = Digest(
      type: type, byteCount: blob.reference.byteCount, checksum: blob.reference.checksum)
    let word = try find(blob, digest)
    words[name] = word
    return word
  }

  private mutating func find(_ blob: StoredBlob, _ digest: Digest) throws(StorageError) -> Int {
    let new = Numbered(blob: blob, word: count)
    guard let first = first[digest] else {
      first[digest] = new
      count += 1
      return new.word
    }
    if several[digest] == nil { several[digest] = [try Self.hash(first.blob): [first]] }
    let hash = try Self.hash(blob)
    for numbered in several[digest]?[hash] ?? [] where try numbered.blob.hasSameBytes(as: blob) {
      return numbered.word
    }
    several[digest, default: [:]][hash, default: []].append(new)
    count += 1
    return new.word
  }

  private static func hash(_ blob: StoredBlob) throws(StorageError) -> Int {
    var hasher = Hasher()
    try blob.hash(into: &hasher)
    return hasher.finalize()
  }
}
