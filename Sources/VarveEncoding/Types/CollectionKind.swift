/// Whether a property has a single value or a collection of values.
///
/// The raw values are part of the file format: never renumber.
@usableFromInline
package enum CollectionKind: UInt8, Sendable, CaseIterable {
  case none = 0
  case list = 1
  case set = 2
  case dictionary = 3
}
