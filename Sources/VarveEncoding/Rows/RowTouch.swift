/// A property that was set to its current value: reported as changed, though the bytes are the
/// same.
@usableFromInline
package struct RowTouch: Hashable, Sendable {
  @usableFromInline package let propertyID: UInt32
  /// The low 32 bits of the version whose commit set it.
  @usableFromInline package let versionLow: UInt32

  @inlinable
  package init(propertyID: UInt32, versionLow: UInt32) {
    self.propertyID = propertyID
    self.versionLow = versionLow
  }
}
