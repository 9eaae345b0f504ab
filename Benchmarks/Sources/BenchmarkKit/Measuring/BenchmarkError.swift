/// The reason why a measurement is not valid.
package struct BenchmarkError: Error, Equatable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
