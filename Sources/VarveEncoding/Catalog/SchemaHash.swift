/// A 128-bit hash of a model: equal for equal models, regardless of the order of classes and
/// properties.
package struct SchemaHash: Hashable, Sendable {
  package let value: Hash128

  package init(value: Hash128) { self.value = value }
}
