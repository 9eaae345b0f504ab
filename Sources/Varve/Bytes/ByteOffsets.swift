/// All offsets of bytes, to which a range expression is relative: offsets beyond the bytes are
/// ignored, and must not trap, since a server may have read them from a request.
@usableFromInline
struct ByteOffsets: Collection {
  @usableFromInline
  init() {}

  @usableFromInline var startIndex: Int { .min }
  @usableFromInline var endIndex: Int { .max }
  @usableFromInline
  subscript(position: Int) -> Int { position }
  @usableFromInline
  func index(after index: Int) -> Int { index == .max ? .max : index + 1 }
}
