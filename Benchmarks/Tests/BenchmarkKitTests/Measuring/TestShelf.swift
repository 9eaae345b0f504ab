import Foundation
import Testing

@testable import BenchmarkKit

/// Runs workloads on a ``DictionaryEngine``, with threads instead of processes.
func shelf<Kind: EngineKind>(_: Kind.Type, _ directory: URL, scale: Double = 0.001) -> Shelf {
  Shelf(
    DictionaryEngine<Kind>.self, directory: directory, scale: scale,
    children: threads(DictionaryEngine<Kind>.self))
}

func workload(_ name: String) throws -> Workload {
  try #require(Workload.all.first { $0.name == name })
}
