/// How the bytes of a blob are cut into chunks.
///
/// LMDB puts a value that does not fit twice into a page on pages of its own, behind a header, and what
/// is left of the last one is lost. So every chunk but the last fills its pages; and what would begin
/// one more page for a few bytes is a chunk of its own, small enough to stand between the keys.
///
/// Only writers cut so: readers take chunks of any length that add up (Docs/Format.md, “Keys of the tables”).
package enum BlobShape {
  /// The bytes of a chunk behind which others may follow: with the header 1 MiB, to the byte.
  package static let chunkBytes = 1 << 20 - headerBytes
  /// The most bytes that are not worth a page: with key and header of the entry two fit into a page.
  package static let maximumTail = 2000

  private static let pageBytes = 4096
  private static let headerBytes = 16

  /// The length of the next chunk of so many bytes that are left.
  package static func chunkLength(left: Int) -> Int {
    if left > chunkBytes + maximumTail { return chunkBytes }
    let tail = (left + headerBytes) % pageBytes
    guard tail > 0, tail <= maximumTail, left + headerBytes > pageBytes else { return left }
    return left - tail
  }

  /// The number of chunks; no writer has made more of so many bytes.
  package static func chunkCount(_ byteCount: Int) -> Int {
    var left = byteCount
    var count = 0
    while left > 0 {
      left -= chunkLength(left: left)
      count += 1
    }
    return count
  }
}
