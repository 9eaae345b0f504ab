import ArgumentParser
import BenchmarkKit
import FilesEngine
import GRDBEngine
import LMDBEngine
import VarveEngine

/// The engines by their names.
enum Engines {
  /// In the order of tables.
  private static let all: [any Engine.Type] = [
    VarveEngine.self, LMDBEngine.self, GRDBEngine.self, GRDBRawEngine.self, FilesEngine.self,
  ]

  static let names = all.map { $0.name }.joined(separator: ", ")

  static func selected(by names: String) throws -> [any Engine.Type] {
    if names == "all" { return all }
    let chosen = try names.split(separator: ",").map { try named(String($0)).name }
    return all.filter { chosen.contains($0.name) }
  }

  static func named(_ name: String) throws -> any Engine.Type {
    guard let engine = all.first(where: { $0.name == name }) else {
      throw ValidationError("There is no engine “\(name)”.")
    }
    return engine
  }
}
