/// The division of a blob into chunks.
///
/// LMDB stores a value that does not fit twice into a page in overflow pages, with a header, and
/// the rest of the last page is wasted. Therefore every chunk but the last fills its pages, and a
/// remainder that would begin one more page for a few bytes is a chunk of its own, small enough to
/// be stored between the keys.
///
/// Only writers divide blobs like this: readers accept chunks of any lengths (Docs/Format.md, “Keys
/// of the tables”).
package enum BlobShape {
  /// The length of a chunk that others may follow: with the header 1 MiB, to the byte.
  package static let chunkBytes = 1 << 20 - headerBytes
  /// The maximum remainder that is not worth a page: with key and header of the entry, two fit into
  /// a page.
  package static let maximumTail = 2000

  /// The maximum number of bytes that are written again when bytes are appended.
  package static let maximumMerged = 64 << 10

  private static let pageBytes = 4096
  private static let headerBytes = 16

  /// Returns the length of the next chunk, given the number of bytes left.
  package static func chunkLength(left: Int) -> Int {
    if left > chunkBytes + maximumTail { return chunkBytes }
    let tail = (left + headerBytes) % pageBytes
    guard tail > 0, tail <= maximumTail, left + headerBytes > pageBytes else { return left }
    return left - tail
  }

  /// Whether a chunk at the end of a blob is written again, as one with the bytes that are appended.
  ///
  /// It is, as long as all fit between the keys, whose page is written in any case. Of longer chunks
  /// only those are that have up to four times the length of what follows: many short appends then
  /// write each byte a few times, and leave few chunks.
  ///
  /// - Parameters:
  ///   - length: The length of the chunk.
  ///   - merged: The number of bytes of the blob after it, which are written again.
  ///   - count: The number of appended bytes.
  package static func merges(_ length: Int, before merged: Int, _ count: Int) -> Bool {
    guard length + merged <= maximumMerged else { return false }
    let after = merged + count
    return length + after <= maximumTail || length <= 4 * after
  }
}
