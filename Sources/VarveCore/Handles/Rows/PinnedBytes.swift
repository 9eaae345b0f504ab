package import Foundation

/// Bytes of one version that are read later, and the pin of the version.
///
/// Thread safety: immutable.
package struct PinnedBytes: Sendable {
  private let bytes: LentBytes
  /// Nil for a copy.
  private let pin: FrozenPin?

  /// The number of bytes in all chunks together.
  package var byteCount: Int { bytes.others.reduce(bytes.first.count) { $0 + $1.count } }

  fileprivate init(_ bytes: LentBytes, _ pin: FrozenPin?) {
    self.bytes = bytes
    self.pin = pin
  }

  /// Makes a copy of bytes.
  ///
  /// - Parameter range: It is clamped to the bytes.
  package init(copying bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    self.init(LentBytes(copying: bytes, in: range), nil)
  }

  /// Returns a copy of a chunk; nil at the end.
  package func chunk(at index: Int) -> Data? {
    guard index <= bytes.others.count else { return nil }
    let chunk = index == 0 ? bytes.first : bytes.others[index - 1]
    if chunk.isEmpty { return nil }
    return withExtendedLifetime(bytes.owner) { Data(chunk) }
  }
}

extension RowHandle {
  /// Returns the bytes of a string or of data, and pins the version that the handle reads; inside a
  /// write, a copy. See ``lend(_:in:isJoined:)``.
  ///
  /// - Parameter callSite: The call site, which identifies the pin in reports.
  package func pinBytes(
    _ slot: Int, in range: Range<Int>, at callSite: CallSite
  ) -> PinnedBytes? {
    guard let bytes = lend(slot, in: range, isJoined: false) else { return nil }
    guard let snapshot = bytes.snapshot, let store = context?.store else {
      return PinnedBytes(bytes, nil)
    }
    let pin = FrozenPin(snapshot, in: store.frozenPins, as: .chunks, at: callSite)
    return PinnedBytes(bytes, pin)
  }
}
