public import Foundation
import VarveCore

/// The bytes of a property in one version, as an asynchronous sequence of chunks.
///
/// ```swift
/// let chunks = photo.chunks(of: \.content)
/// for await chunk in chunks { try await writer.write(chunk) }
/// ```
///
/// Each element is a copy, made when it is requested. The sequence pins the version that the object
/// read when it was made, and so does each iterator until its end: pages that later commits free are
/// not reused meanwhile. ``Realm/storageReport()`` lists the pins as
/// ``Realm/PinHolder/Kind/byteChunks``, with the call of ``RealmCollectionValue/chunks(of:in:file:line:)``.
///
/// Thread safety: any task may iterate. An iterator belongs to one task.
public struct ByteChunks: AsyncSequence, Sendable {
  /// A sequence of chunks never fails.
  public typealias Failure = Never
  /// A copy of a chunk.
  public typealias Element = Data

  /// The number of bytes in all chunks together.
  public let byteCount: Int

  private let source: PinnedBytes?

  init(_ source: PinnedBytes?) {
    self.source = source
    byteCount = source?.byteCount ?? 0
  }

  /// Returns an iterator over the chunks.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// An iterator over chunks.
  public struct Iterator: AsyncIteratorProtocol {
    /// The bytes; nil after the last chunk, so that their version is no longer pinned.
    private var source: PinnedBytes?
    private var position = 0

    fileprivate init(source: PinnedBytes?) { self.source = source }

    /// Returns a copy of the next chunk; nil at the end of the sequence.
    public mutating func next() async -> Data? { nextChunk() }

    /// Returns a copy of the next chunk, on the caller's actor; nil at the end of the sequence. See
    /// ``next()``.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Data? {
      nextChunk()
    }

    private mutating func nextChunk() -> Data? {
      guard let chunk = source?.chunk(at: position) else {
        source = nil
        return nil
      }
      position += 1
      return chunk
    }
  }
}

extension RealmCollectionValue where Self: ObjectBase {
  /// Returns the chunks of a property of type `Data` or `String` as an asynchronous sequence of
  /// copies, for a receiver that is slower than the store.
  ///
  /// The bytes are those of the version that the object reads at the call. The version is pinned
  /// until the sequence is released and its iterators have ended or are released; see
  /// ``ByteChunks``. Bytes that need no version are copied at the call: up to 64 KiB, those of
  /// an unmanaged object, and inside a write those that the write sees.
  ///
  /// As for ``withChunks(_:in:_:)``, all chunks are looked up first, and there are none of nil, of a
  /// deleted object, and of damaged bytes.
  ///
  /// - Parameters:
  ///   - property: The key path of a persisted property of the object itself. Any other key path
  ///     traps.
  ///   - range: The offsets of the bytes; see ``withBytes(_:in:_:)->Result``.
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Complexity: O(log n) for each chunk, and O(bytes of the chunk) for each element.
  public func chunks<Value: _BytesProperty, Bounds: RangeExpression<Int>>(
    of property: KeyPath<Self, Value>, in range: Bounds = 0..., file: StaticString = #fileID,
    line: UInt = #line
  ) -> ByteChunks {
    let slot = ClassInfo.bytesSlot(of: property)
    let range = range.relative(to: ByteOffsets())
    guard handle.isManaged else {
      return ByteChunks(withUnmanagedBytes(slot) { PinnedBytes(copying: $0, in: range) })
    }
    return ByteChunks(handle.pinBytes(slot, in: range, at: CallSite(file, line)))
  }
}
