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

  private static let pageBytes = 4096
  private static let headerBytes = 16

  /// Returns the length of the next chunk, given the number of bytes left.
  package static func chunkLength(left: Int) -> Int {
    if left > chunkBytes + maximumTail { return chunkBytes }
    let tail = (left + headerBytes) % pageBytes
    guard tail > 0, tail <= maximumTail, left + headerBytes > pageBytes else { return left }
    return left - tail
  }
}
