import ArgumentParser
import BenchmarkKit
import FilesEngine
import Foundation
import GRDBEngine
import LMDBEngine
import VarveEngine

/// The engines by name.
enum Engines {
  /// All engines, in the order of tables.
  private static let all: [any Engine.Type] = [
    VarveEngine.self, LMDBEngine.self, GRDBEngine.self, GRDBRawEngine.self, FilesEngine.self,
  ]

  static let names = all.map { $0.name }.joined(separator: ", ")

  static func selected(by names: String) throws -> [any Engine.Type] {
    let names = names.commaSeparated
    if names.contains("all") { return all }
    let chosen = try names.map { try named($0).name }
    return all.filter { chosen.contains($0.name) }
  }

  static func named(_ name: String) throws -> any Engine.Type {
    guard let engine = all.first(where: { $0.name == name }) else {
      throw ValidationError("There is no engine “\(name)”. The engines are \(names).")
    }
    return engine
  }
}

extension String {
  /// The parts between commas, without surrounding spaces.
  var commaSeparated: [String] {
    split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
