/// Why a measurement does not count.
package struct BenchmarkError: Error, Equatable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
