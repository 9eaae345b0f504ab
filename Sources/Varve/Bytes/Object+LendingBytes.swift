public import Foundation
import VarveCore
import VarveEncoding

// Bytes are lent as `RawSpan`, not as `UTF8Span`: stored bytes may be damaged, and the package
// supports systems that have no `UTF8Span`.

extension RealmCollectionValue where Self: ObjectBase {
  /// Calls a closure with the bytes of a property of type `Data` or `String`, without copying them.
  ///
  /// ```swift
  /// let sum = photo.withBytes(\.content) { bytes in checksum(bytes) }
  /// ```
  ///
  /// The closure is called exactly once, on the calling thread. It may read, write and refresh: the
  /// bytes are those of the version that the object reads at the call, also of a live object, and
  /// no page of this version is reused before the closure returns. Bytes of a `String` are its
  /// UTF-8. An unmanaged object lends its own bytes.
  ///
  /// The bytes of a value that is stored in several chunks are copied into one buffer;
  /// ``withChunks(_:in:_:)`` lends each of them. A value of at most 1 MiB that was assigned in one
  /// piece has one chunk, or two if little of it would be left for its last page. Inside a write,
  /// the closure gets a copy of the bytes as the write sees them.
  ///
  /// Nothing is verified that reading the property does not verify: a checksum only by a check of
  /// the store. If chunks are missing, the damage is recorded before the closure is called, and the
  /// bytes are empty, as are those of a deleted object, for which a write fails with
  /// `.invalidatedObject`.
  ///
  /// - Parameters:
  ///   - property: The key path of a persisted property of the object itself. Any other key path
  ///     traps.
  ///   - range: The offsets of the bytes to lend, by default all of them. Offsets beyond the end
  ///     are ignored, like those of `prefix` and `dropFirst`: another process may have made the
  ///     value shorter. What is before the range is not read.
  ///   - body: The closure. The span is valid until it returns.
  /// - Returns: The result of the closure.
  /// - Throws: Only what the closure throws.
  /// - Complexity: O(log n), where n is the number of stored objects and chunks; O(bytes of the
  ///   range) for a copy.
  @inlinable
  public func withBytes<
    Value: _BytesValue, Result, Failure: Error, Bounds: RangeExpression<Int>
  >(
    _ property: KeyPath<Self, Value>, in range: Bounds = 0...,
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let result = try lendBytes(property, in: range.relative(to: ByteOffsets()), body) {
      return result
    }
    return try body(RawSpan())
  }

  /// Calls a closure with the bytes of an optional property of type `Data` or `String`, without
  /// copying them. See ``withBytes(_:in:_:)->Result``.
  ///
  /// - Returns: The result of the closure; nil, without calling it, if the property is nil.
  /// - Throws: Only what the closure throws.
  @inlinable @discardableResult
  public func withBytes<
    Value: _BytesValue, Result, Failure: Error, Bounds: RangeExpression<Int>
  >(
    _ property: KeyPath<Self, Value?>, in range: Bounds = 0...,
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try lendBytes(property, in: range.relative(to: ByteOffsets()), body)
  }

  /// Calls a closure with the chunks of a property of type `Data` or `String`, one after the other,
  /// without copying them.
  ///
  /// All chunks are of the version that the object reads at the call, and all are looked up before
  /// the closure is called first: if one is missing, the damage is recorded and the closure is not
  /// called. Neither is it for an empty value, for nil, and for a deleted object. Where one chunk
  /// ends and the next begins is not specified, nor that a character of a `String` is not divided.
  ///
  /// - Parameters:
  ///   - property: The key path of a persisted property of the object itself. Any other key path
  ///     traps.
  ///   - range: The offsets of the bytes to lend; see ``withBytes(_:in:_:)->Result``.
  ///   - body: The closure. A span is valid until the call that it was passed to returns. An error
  ///     that the closure throws ends the calls.
  /// - Throws: Only what the closure throws.
  /// - Complexity: O(log n) for each chunk, of which a mebibyte has one if it was assigned in one
  ///   piece. Inside a write, the closure is called once with a copy of all bytes.
  @inlinable
  public func withChunks<Value: _BytesProperty, Failure: Error, Bounds: RangeExpression<Int>>(
    _ property: KeyPath<Self, Value>, in range: Bounds = 0...,
    _ body: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    try lendChunks(property, in: range.relative(to: ByteOffsets()), body)
  }

  /// Returns the number of bytes of a property of type `Data`, or of the UTF-8 of a `String`,
  /// without reading them.
  ///
  /// A live object may read another version at the next call; freeze it to read a number of bytes
  /// and the bytes from one version.
  ///
  /// - Parameter property: The key path of a persisted property of the object itself. Any other key
  ///   path traps.
  /// - Returns: The number; 0 for a deleted object.
  /// - Complexity: O(log n), where n is the number of stored objects.
  public func byteCount(of property: KeyPath<Self, some _BytesValue>) -> Int {
    optionalByteCount(of: property) ?? 0
  }

  /// Returns the number of bytes of an optional property without reading them. See
  /// ``byteCount(of:)->Int``.
  ///
  /// - Returns: The number; nil if the property is nil.
  public func byteCount(of property: KeyPath<Self, (some _BytesValue)?>) -> Int? {
    optionalByteCount(of: property)
  }
}

extension RealmCollectionValue where Self: ObjectBase {
  /// Calls `body` with the bytes of a property in a range.
  ///
  /// - Returns: Nil, without calling it, if there is no value.
  @usableFromInline
  func lendBytes<Result, Failure: Error>(
    _ property: PartialKeyPath<Self>, in range: Range<Int>,
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let slot = ClassInfo.bytesSlot(of: property)
    guard handle.isManaged else {
      return try withUnmanagedBytes(slot) { (bytes) throws(Failure) in
        let part = bytes[range.clamped(to: 0..<bytes.count)]
        return try withSpan(of: UnsafeRawBufferPointer(rebasing: part), body)
      }
    }
    guard let lent = handle.lend(slot, in: range, isJoined: true) else { return nil }
    return try withExtendedLifetime(lent.owner) { () throws(Failure) in
      try withSpan(of: lent.first, body)
    }
  }

  @usableFromInline
  func lendChunks<Failure: Error>(
    _ property: PartialKeyPath<Self>, in range: Range<Int>,
    _ body: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    guard handle.isManaged else {
      _ = try lendBytes(property, in: range) { (bytes) throws(Failure) in
        if !bytes.isEmpty { try body(bytes) }
      }
      return
    }
    let slot = ClassInfo.bytesSlot(of: property)
    guard let lent = handle.lend(slot, in: range, isJoined: false), !lent.first.isEmpty else {
      return
    }
    try withExtendedLifetime(lent.owner) { () throws(Failure) in
      try withSpan(of: lent.first, body)
      for part in lent.others { try withSpan(of: part, body) }
    }
  }

  private func optionalByteCount(of property: PartialKeyPath<Self>) -> Int? {
    let slot = ClassInfo.bytesSlot(of: property)
    guard handle.isManaged else { return withUnmanagedBytes(slot) { $0.count } }
    return handle.lend(slot, in: 0..<0, isJoined: true)?.valueCount
  }
}

/// Calls `body` with a span of bytes in memory that the caller keeps until it returns.
private func withSpan<Result, Failure: Error>(
  of bytes: UnsafeRawBufferPointer, _ body: (RawSpan) throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let start = bytes.baseAddress else { return try body(RawSpan()) }
  // Safe because a span cannot escape from the closure, and the caller keeps the bytes meanwhile.
  return try body(RawSpan(_unsafeStart: start, byteCount: bytes.count))
}

extension ObjectBase {
  /// Calls `body` with the bytes of an unmanaged object's property.
  ///
  /// - Returns: Nil, without calling it, if there is no value.
  final func withUnmanagedBytes<Result, Failure: Error>(
    _ slot: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // The box retains the bytes: `body` may set the property.
    switch unmanagedBox(slot).content {
    case .value(.data(let data)):
      return try data.withUnsafeBytes { bytes in
        Swift.Result { () throws(Failure) in try body(bytes) }
      }.get()
    case .value(.string(var string)):
      return try string.withUTF8 { bytes in
        Swift.Result { () throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
      }.get()
    default:
      return nil
    }
  }
}

/// A type whose bytes objects lend: `Data`, or `String`, of which it is the UTF-8. It has no public
/// members.
public protocol _BytesValue: _BytesProperty {}

extension Data: _BytesValue {}
extension String: _BytesValue {}

/// The type of a property whose bytes objects lend: `Data`, `String`, or an optional of one of them.
/// It has no public members.
public protocol _BytesProperty {}

extension Optional: _BytesProperty where Wrapped: _BytesValue {}
