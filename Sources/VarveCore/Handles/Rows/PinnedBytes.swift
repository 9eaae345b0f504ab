package import Foundation
import VarveStorage

/// Bytes of one version that are read later, and the pin of the version.
///
/// Thread safety: immutable.
package struct PinnedBytes: Sendable {
  private let bytes: LentBytes
  /// Nil for a copy.
  private let pin: FrozenPin?

  /// The number of bytes in all chunks together.
  package var byteCount: Int { bytes.byteCount }

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

  /// Returns a copy of a chunk; nil at the end, and once the store was closed after a commit that
  /// could not be finished.
  package func chunk(at index: Int) -> Data? {
    guard index <= bytes.others.count else { return nil }
    let chunk = index == 0 ? bytes.first : bytes.others[index - 1]
    if chunk.isEmpty { return nil }
    let copy = withExtendedLifetime(bytes.owner) { Data(chunk) }
    // Asked after the copy: pages are overwritten with zeros only after this was set.
    return bytes.snapshot?.environment.isTornDown == true ? nil : copy
  }
}

extension RowHandle {
  /// The number of bytes up to which a copy costs less than a pinned version.
  private static var mostCopiedBytes: Int { 64 << 10 }

  /// Returns the bytes of a string or of data, and pins the version that the handle reads. Returns
  /// a copy inside a write, and of at most 64 KiB. See ``lend(_:in:isJoined:)``.
  ///
  /// - Parameter callSite: The call site, which identifies the pin in reports.
  package func pinBytes(
    _ slot: Int, in range: Range<Int>, at callSite: CallSite
  ) -> PinnedBytes? {
    guard let bytes = lend(slot, in: range, isJoined: false) else { return nil }
    guard let snapshot = bytes.snapshot, let store = context?.store else {
      return PinnedBytes(bytes, nil)
    }
    if bytes.byteCount <= Self.mostCopiedBytes { return PinnedBytes(bytes.copied, nil) }
    let pin = FrozenPin(snapshot, in: store.frozenPins, as: .chunks, at: callSite)
    return PinnedBytes(bytes, pin)
  }
}
