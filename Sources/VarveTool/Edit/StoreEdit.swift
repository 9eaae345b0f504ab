import Foundation
import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// A change of objects of one class, in one write transaction.
struct StoreEdit {
  private let path: String
  private let className: String
  private let options: EditOptions

  init(_ path: String, _ className: String, _ options: EditOptions) {
    self.path = URL(fileURLWithPath: path).path
    self.className = className
    self.options = options
  }

  /// Runs a change, commits it if that was requested, and prints it.
  ///
  /// Nothing is printed inside the transaction: a slow reader of the output does not stop other
  /// writers.
  ///
  /// - Parameter change: A closure that makes the change.
  /// - Throws: ``ToolError``. Nothing is written then, unless the error says so.
  func run(_ change: (RunningEdit) throws -> EditResult) throws {
    try ToolError.translating {
      var storeOptions = StoreOptions(path: path)
      storeOptions.createsFile = false
      let store = try Store(options: storeOptions)
      let outcome = Result { try run(change, in: store) }
      try store.close()
      let (edit, result) = try outcome.get()
      do {
        try print(edit, result)
      } catch {
        throw ToolError(
          options.write ? "The change was written, but not printed. \(error)" : "\(error)")
      }
    }
  }

  private func run(
    _ change: (RunningEdit) throws -> EditResult, in store: Store
  ) throws -> (RunningEdit, EditResult) {
    try store.write(view: nil) { transaction in
      let schema = try transaction.schema.requireClass(className)
      guard !schema.record.isEmbedded else {
        throw ToolError(
          "Embedded objects are changed with their parents.\n  \(className.printable)")
      }
      let edit = RunningEdit(
        transaction, of: store, schema, isQuiet: options.quiet || options.json)
      let result = try change(edit)
      if !options.write { store.cancelWriteOfThread() }
      return (edit, result)
    }
  }

  private func print(_ edit: RunningEdit, _ result: EditResult) throws {
    try StandardOutput.printing(endsWhenClosed: false) { output in
      if options.json { return try output.line(json(result)) }
      for line in edit.lines.all { try output.line(line) }
      let objects = Quantity.count(result.count, "object")
      var sentence =
        options.write
        ? "\(objects) \(result.participle)" : "\(objects) would be \(result.participle)"
      if result.unchangedCount > 0 {
        sentence += ", \(Quantity.count(result.unchangedCount)) unchanged"
      }
      if !options.write { sentence += ". Nothing is written without --write." }
      try output.line(sentence)
    }
  }

  private func json(_ result: EditResult) -> String {
    JSONWriter.object { json in
      json.member("objects", result.count)
      if result.unchangedCount > 0 { json.member("unchanged", result.unchangedCount) }
      json.member("change", result.participle)
      json.member("written", options.write)
    }
  }
}
